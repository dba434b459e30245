import CircleKit

/// Every name of the two documents. The page `docs/operations.md` shows the first three columns.
enum OperationTable {
  static let community: [OperationRow] = [
    OperationRow(
      "`EMClient.shared().circleManager`", "`CircleManager(store:userId:device:)`",
      "`--as USER --device NAME`", "server create New --as alice --device phone"
    ) {
      _ = try await $0.manager("alice", "phone").createServer(.init(name: "New"))
      return []
    },
    OperationRow("`createServer`", "`createServer(_:)`", "`server create`", "server create New --as dave") {
      _ = try await $0.dave.createServer(.init(name: "New"))
      return []
    },
    OperationRow(
      "`EMCircleServerAttribute`", "`CircleServerAttribute`", "the options of `server create` and `server update`",
      "server create New --type private --icon https://a.example/i --background https://a.example/b --desc d --ext e --as dave"
    ) {
      _ = try await $0.dave.createServer(
        .init(
          name: "New", type: .private, icon: "https://a.example/i", background: "https://a.example/b", desc: "d",
          ext: "e"))
      return []
    },
    OperationRow(
      "`inviteUserToServer`", "`inviteUserToServer(serverId:userId:welcome:)`", "`invitation send`",
      "invitation send pub dave --welcome Hello --as carol"
    ) {
      try await $0.carol.inviteUserToServer(serverId: $0.server, userId: "dave", welcome: "Hello")
      return []
    },
    OperationRow(
      "`acceptServerInvitation`", "`acceptServerInvitation(_:inviter:)`", "`invitation accept`",
      "invitation accept pub --inviter alice --as frank"
    ) {
      _ = try await $0.frank.acceptServerInvitation($0.server, inviter: "alice")
      return []
    },
    OperationRow(
      "`declineServerInvitation`", "`declineServerInvitation(_:inviter:)`", "`invitation decline`",
      "invitation decline pub --inviter alice --as frank"
    ) {
      try await $0.frank.declineServerInvitation($0.server, inviter: "alice")
      return []
    },
    OperationRow(
      "`updateServer`", "`updateServer(_:attribute:)`", "`server update`", "server update pub --desc New --as bob"
    ) {
      _ = try await $0.manager("bob").updateServer($0.server, attribute: .init(desc: "New"))
      return []
    },
    OperationRow(
      "`addTagsToServer`", "`addTags(toServer:tags:)`", "`tag add`", "tag add pub ios tea swift --as alice",
      answer: ("tag", "name")
    ) { try await $0.alice.addTags(toServer: $0.server, tags: ["ios", "tea", "swift"]).map(\.name) },
    OperationRow(
      "`removeTagsFromServer`", "`removeTags(fromServer:tagIds:)`", "`tag remove`", "tag remove pub tea --as alice"
    ) {
      let tags = try await $0.alice.fetchServerTags($0.server)
      try await $0.alice.removeTags(fromServer: $0.server, tagIds: tags.map(\.tagId))
      return []
    },
    OperationRow(
      "`fetchServerTags`", "`fetchServerTags(_:)`", "`tag list`", "tag list pub --as carol", answer: ("tag", "tagId")
    ) { try await $0.carol.fetchServerTags($0.server).map(\.tagId) },
    OperationRow("`destroyServer`", "`destroyServer(_:)`", "`server destroy`", "server destroy pub --yes --as alice") {
      try await $0.alice.destroyServer($0.server)
      return []
    },
    OperationRow(
      "`fetchServerDetail`", "`fetchServerDetail(_:)`", "`server get`", "server get pub --as carol",
      answer: ("server", "name")
    ) { [try await $0.carol.fetchServerDetail($0.server).name] },
    OperationRow(
      "`fetchJoinedServers`", "`fetchJoinedServers(_:cursor:)`", "`server list --as USER`", "server list --as carol",
      answer: ("server", "serverId")
    ) { try await $0.carol.fetchJoinedServers(20).list.map(\.serverId) },
    OperationRow(
      "`fetchServerMembers`", "`fetchServerMembers(_:limit:cursor:)`", "`member list`", "member list pub --as carol",
      answer: ("member", "userId")
    ) { try await $0.carol.fetchServerMembers($0.server).list.map(\.userId) },
    OperationRow(
      "`fetchServersWithKeyword`", "`fetchServers(withKeyword:)`", "`server search`", "server search The --as dave",
      answer: ("server", "serverId")
    ) { try await $0.dave.fetchServers(withKeyword: "The").map(\.serverId) },
    OperationRow("`joinServer`", "`joinServer(_:)`", "`member join`", "member join pub --as dave") {
      _ = try await $0.dave.joinServer($0.server)
      return []
    },
    OperationRow("`leaveServer`", "`leaveServer(_:)`", "`member leave`", "member leave pub --as carol") {
      try await $0.carol.leaveServer($0.server)
      return []
    },
    OperationRow(
      "`removeUserFromServer`", "`removeUser(fromServer:userId:)`, `removeUsers(fromServer:userIds:)`",
      "`member remove`", "member remove pub carol mona --as alice"
    ) {
      try await $0.alice.removeUsers(fromServer: $0.server, userIds: ["carol", "mona"])
      return []
    },
    OperationRow(
      "`checkSelfIsInServer`", "`checkSelfIs(inServer:)`", "`member check`", "member check pub --as carol",
      answer: ("check", "userId")
    ) { try await $0.carol.checkSelfIs(inServer: $0.server) ? ["carol"] : [] },
    OperationRow(
      "`fetchSelfServerRole`, `EMCircleUserRole`", "`fetchSelfServerRole(_:)`, `CircleUserRole`", "`member role`",
      "member role pub --as mona", answer: ("role", "role")
    ) { ["\(try await $0.manager("mona").fetchSelfServerRole($0.server))"] },
    OperationRow(
      "`addModeratorToServer`", "`addModerator(toServer:userId:)`", "`moderator add`",
      "moderator add pub carol --as alice --device mac"
    ) {
      try await $0.manager("alice", "mac").addModerator(toServer: $0.server, userId: "carol")
      return []
    },
    OperationRow(
      "`removeModeratorFromServer`", "`removeModerator(fromServer:userId:)`", "`moderator remove`",
      "moderator remove pub bob --as alice"
    ) {
      try await $0.alice.removeModerator(fromServer: $0.server, userId: "bob")
      return []
    },
    OperationRow(
      "`EMCircleManagerServerDelegate`, `EMCircleServerEvent`",
      "`CircleServerDelegate`, `CircleServerEvent`; `events()`",
      "`events list --recipient USER --follow`",
      "member join pub --as dave; events list --recipient carol --name onMemberJoinedServer",
      answer: ("", "member")
    ) {
      let heard = Ears()
      try await $0.carol.add(serverDelegate: heard)
      _ = try await CircleManager(store: $0.store, userId: "dave").joinServer($0.server)
      return await heard.first(1)
    },
    OperationRow(
      "`multiDevicesCircleServerEventDidReceive`, `EMMultiDevicesEvent`", "`MultiDevicesDelegate`, `MultiDevicesEvent`",
      "`events list --recipient USER/DEVICE --follow`",
      "server destroy pub --yes --as alice --device mac; events list --recipient alice/phone --name multiDevices.Destroy",
      answer: ("", "serverId")
    ) {
      let heard = Ears()
      try await $0.manager("alice", "phone").add(multiDevicesDelegate: heard)
      try await $0.manager("alice", "mac").destroyServer($0.server)
      return await heard.first(1)
    },
  ]

  static let userInformation: [OperationRow] = [
    OperationRow(
      "`IUserInfoDelegate`, `addDelegate`", "`UserInfoDelegate`, `UserDirectory.addDelegate(_:)`", "`provider add`",
      "provider add app --file app.csv; user get alice", answer: ("user", "nickName")
    ) {
      let directory = UserDirectory(store: $0.store)
      await directory.addDelegate(AppUsers())
      return [await directory.user("alice").shownName]
    },
    OperationRow(
      "`removeDelegate`", "`UserDirectory.removeDelegate(_:)`", "`provider remove`",
      "provider add app --file app.csv; provider remove app; user get alice", answer: ("user", "nickName")
    ) {
      let directory = UserDirectory(store: $0.store)
      let app = AppUsers()
      await directory.addDelegate(app)
      await directory.removeDelegate(app)
      return [await directory.user("alice").shownName]
    },
    OperationRow(
      "`getUserInfo`", "`UserInfoDelegate.getUserInfo(account:)`", "`user get`",
      "provider add app --file app.csv; user get alice dave", answer: ("user", "userId")
    ) {
      let directory = UserDirectory(store: $0.store)
      await directory.addDelegate(AppUsers())
      return await directory.users(["alice", "dave"]).map(\.userId)
    },
    OperationRow(
      "`fetchUserInfo`", "`UserInfoDelegate.fetchUserInfo(accountList:)`", "`user fetch`",
      "provider add app --exec ./fetch.sh; user fetch dave", answer: ("user", "nickName")
    ) {
      let directory = UserDirectory(store: $0.store)
      await directory.addDelegate(AppUsers())
      return [await directory.user("dave").shownName]
    },
    OperationRow(
      "`updateUserInfo`, `NIMUserInfoUpdateTag`", "`UserDirectory.updateUserInfo(values:)`, `UserInfoUpdateTag`",
      "`user update --set TAG=VALUE`", "user update alice --set 3=Ally --set 6=9 --set 5=hello --as alice"
    ) {
      let directory = UserDirectory(store: $0.store, currentUser: "alice")
      _ = try await directory.updateUserInfo(values: [3: "Ally", 6: "9", 5: "hello"])
      return []
    },
    OperationRow(
      "`User`, `UserInfo`", "`User(userId:nickName:avatarUrl:)`, `UserInfo`", "`user get`, `user list`",
      "user get alice", answer: ("user", "nickName")
    ) {
      let directory = UserDirectory(store: $0.store)
      return [await directory.user("alice").userInfo?.nickName ?? ""]
    },
  ]

  /// Who receives each event: the names of the delegate's methods, and the rule.
  static let audiences: [(event: String, method: String, receivers: String)] = [
    ("onServerUpdated", "onServerUpdated(_:)", "all members but the one who changed the server"),
    ("onServerDestroyed", "onServerDestroyed(_:initiator:)", "all who were members, but the owner"),
    ("onReceiveServerInvitation", "onReceiveServerInvitation(_:inviter:)", "the invitee"),
    ("onServerInvitationBeAccepted", "onServerInvitationBeAccepted(_:invitee:)", "the inviter"),
    ("onServerInvitationBeDeclined", "onServerInvitationBeDeclined(_:invitee:)", "the inviter"),
    (
      "onServerRoleAssigned", "onServerRoleAssigned(_:member:role:)",
      "all members but the owner, who gave the role"
    ),
    ("onMemberJoinedServer", "onMemberJoinedServer(_:member:)", "all members but the new one"),
    ("onMemberLeftServer", "onMemberLeftServer(_:member:)", "all who remain"),
    (
      "onMemberRemovedFromServer", "onMemberRemoved(fromServer:members:)",
      "those removed, the owner and the remaining moderators, but the one who did it"
    ),
  ]
}
