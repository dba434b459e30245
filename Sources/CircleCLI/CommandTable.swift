import CommandTree

/// All commands of the program: parsing, help and the reference are made from this one table.
let commandTree: CommandTree<Action> = CommandTree(
  CommandSpec(
    "circlectl", "Communities as code: brings servers, members and moderators to what manifests ask for.",
    discussion: """
      Manifests are YAML files that say which communities there shall be. 'circlectl diff' shows what would change, \
      'circlectl apply' changes it in one transaction and reports the events that follow.

      circlectl.yaml in the current folder gives defaults for state, stack, paths, guards and output; options win.
      """,
    examples: [
      Example("circlectl apply manifests", "Brings the state to what the manifests ask for."),
      Example("circlectl events list --since 120", "Lists the events after number 120."),
    ],
    options: OptionSpec.global,
    subcommands: [
      Validate.spec,
      Diff.spec,
      Apply.spec,
      Show.spec,
      Fmt.spec,
      Why.spec,
      Export.spec,
      CommandSpec(
        "import", "Bring tables into the state.", refuses: OptionSpec.acting,
        subcommands: [ImportUsers.spec, ImportTags.spec, ImportMembers.spec]),
      CommandSpec(
        "events", "Read the event log.", refuses: OptionSpec.acting,
        subcommands: [EventsList.spec, EventsVerify.spec, EventsArchive.spec]),
      CommandSpec(
        "server", "Work with servers.",
        subcommands: [
          ServerCreate.spec, ServerUpdate.spec, ServerRename.spec, ServerDestroy.spec, ServerRelease.spec,
          ServerGet.spec, ServerList.spec, ServerSearch.spec,
        ]),
      CommandSpec(
        "tag", "Work with the tags of a server.", subcommands: [TagAdd.spec, TagRemove.spec, TagList.spec]),
      CommandSpec(
        "moderator", "Work with moderators.",
        subcommands: [ModeratorAdd.spec, ModeratorRemove.spec, ModeratorList.spec]),
      CommandSpec(
        "member", "Work with the members of a server.",
        subcommands: [
          MemberJoin.spec, MemberLeave.spec, MemberRemove.spec, MemberCheck.spec, MemberRole.spec, MemberList.spec,
        ]),
      CommandSpec(
        "invitation", "Work with invitations.",
        subcommands: [
          InvitationSend.spec, InvitationAccept.spec, InvitationDecline.spec, InvitationWithdraw.spec,
          InvitationList.spec,
        ]),
      CommandSpec(
        "user", "Work with users.",
        subcommands: [
          UserRegister.spec, UserUpdate.spec, UserDevices.spec, UserOffboard.spec, UserGet.spec, UserFetch.spec,
          UserList.spec, UserMemberships.spec,
        ]),
      CommandSpec(
        "state", "Look after the state.", refuses: OptionSpec.acting,
        subcommands: [
          StateInit.spec, StateInfo.spec, StateVerify.spec, StateHistory.spec, StateUndo.spec, StateSetLimit.spec,
          StateUnlock.spec, StateDump.spec, StateRestore.spec, StateCopy.spec,
        ]),
      CompletionCommand.spec,
      Man.spec,
      Complete.spec,
      CommandSpec(
        "provider", "Say where user information comes from.", refuses: OptionSpec.acting,
        subcommands: [ProviderAdd.spec, ProviderRemove.spec, ProviderList.spec]),
      CommandSpec(
        "schema", "Write the schemas of what programs read.", refuses: OptionSpec.acting,
        subcommands: [SchemaManifest.spec, SchemaReport.spec, SchemaEvent.spec, SchemaPlan.spec]),
      Doctor.spec,
      Version.spec,
      Reference.spec,
    ]),
  exitCodes: ExitStatus.allCases.map { .init($0.rawValue, $0.meaning) })
