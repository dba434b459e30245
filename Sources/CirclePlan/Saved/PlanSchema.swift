extension SavedPlan {
  /// The JSON Schema (draft 2020-12) of plan files, with a line break at its end.
  package static let schema = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "circlectl plan",
      "description": "A plan that 'diff --save' writes and 'apply' carries out. Its members stand in this order.",
      "type": "object",
      "properties": {
        "circlectlPlan": {"description": "The version of the format.", "const": 1},
        "stack": {"type": "string", "minLength": 1, "maxLength": 64},
        "options": {
          "description": "What the plan was made with.",
          "type": "object",
          "properties": {
            "maxRemovals": {"type": "string", "pattern": "^[0-9]{1,9}%?$"},
            "allow": {"type": "array", "items": {"type": "string"}},
            "reason": {"type": "string"},
            "prune": {"const": true},
            "register": {"const": true},
            "only": {"type": "array", "items": {"type": "string"}},
            "exclude": {"type": "array", "items": {"type": "string"}}
          },
          "required": ["maxRemovals"],
          "additionalProperties": false
        },
        "files": {
          "description": "The manifests that places name by their position.",
          "type": "array",
          "items": {"type": "string"}
        },
        "servers": {
          "description": "The servers that the plan names and that were there before.",
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "id": {"$ref": "#/$defs/serverId"},
              "handle": {"$ref": "#/$defs/handle"},
              "name": {"type": "string"},
              "owner": {"$ref": "#/$defs/userId"},
              "stack": {"type": "string"},
              "members": {
                "type": "integer",
                "minimum": 0,
                "maximum": 2147483647
              },
              "moderators": {
                "type": "integer",
                "minimum": 0,
                "maximum": 2147483647
              },
              "tags": {"type": "array", "items": {"type": "string"}},
              "overridden": {
                "type": "array",
                "items": {
                  "enum": [
                    "name",
                    "type",
                    "icon",
                    "background",
                    "desc",
                    "ext"
                  ]
                }
              },
              "lostTags": {"type": "array", "items": {"type": "string"}},
              "content": {"$ref": "#/$defs/digest"}
            },
            "required": ["id", "handle", "members", "moderators"],
            "additionalProperties": false
          }
        },
        "operations": {
          "description": "In the order in which they run.",
          "type": "array",
          "items": {
            "oneOf": [
              {"$ref": "#/$defs/op-registerUser"},
              {"$ref": "#/$defs/op-updateUser"},
              {"$ref": "#/$defs/op-setDevices"},
              {"$ref": "#/$defs/op-markUser"},
              {"$ref": "#/$defs/op-createServer"},
              {"$ref": "#/$defs/op-updateServer"},
              {"$ref": "#/$defs/op-destroyServer"},
              {"$ref": "#/$defs/op-renameHandle"},
              {"$ref": "#/$defs/op-adoptServer"},
              {"$ref": "#/$defs/op-addTagsToServer"},
              {"$ref": "#/$defs/op-removeTagsFromServer"},
              {"$ref": "#/$defs/op-joinServer"},
              {"$ref": "#/$defs/op-inviteUserToServer"},
              {"$ref": "#/$defs/op-withdrawInvitation"},
              {"$ref": "#/$defs/op-removeUserFromServer"},
              {"$ref": "#/$defs/op-addModeratorToServer"},
              {"$ref": "#/$defs/op-removeModeratorFromServer"},
              {"$ref": "#/$defs/op-setServerSettings"},
              {"$ref": "#/$defs/op-markServer"}
            ]
          }
        },
        "notes": {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "note": {
                "enum": [
                  "adoption",
                  "not-pruned",
                  "declined",
                  "left-after-accepting",
                  "looks-renamed",
                  "setting"
                ]
              },
              "setting": {"enum": ["membership", "join", "welcome", "protect"]},
              "before": {"type": "string"},
              "after": {"type": "string"},
              "from": {"$ref": "#/$defs/serverId"},
              "shared": {
                "type": "integer",
                "minimum": 0,
                "maximum": 2147483647
              },
              "of": {
                "type": "integer",
                "minimum": 0,
                "maximum": 2147483647
              },
              "server": {"$ref": "#/$defs/serverId"},
              "newServer": {"$ref": "#/$defs/handle"},
              "user": {"$ref": "#/$defs/userId"},
              "at": {"$ref": "#/$defs/place"}
            },
            "required": ["note"],
            "additionalProperties": false
          }
        },
        "unmanaged": {
          "type": "object",
          "properties": {
            "servers": {"type": "array", "items": {"$ref": "#/$defs/serverId"}},
            "users": {"type": "integer", "minimum": 0, "maximum": 2147483647},
            "members": {"type": "integer", "minimum": 0, "maximum": 2147483647}
          },
          "required": ["servers", "users", "members"],
          "additionalProperties": false
        },
        "leftOut": {
          "description": "What --only and --exclude left out.",
          "type": "object",
          "properties": {
            "changes": {"type": "integer", "minimum": 0, "maximum": 2147483647},
            "dependent": {"type": "integer", "minimum": 0, "maximum": 2147483647}
          },
          "required": ["changes", "dependent"],
          "additionalProperties": false
        },
        "digest": {
          "$ref": "#/$defs/digest",
          "description": "SHA-256 of the text that 'diff --save' writes, up to the comma before this member."
        }
      },
      "required": [
        "circlectlPlan",
        "stack",
        "options",
        "files",
        "servers",
        "operations",
        "notes",
        "unmanaged",
        "leftOut",
        "digest"
      ],
      "additionalProperties": false,
      "$defs": {
        "serverId": {"type": "string", "pattern": "^[0-9A-Za-z]{22}$"},
        "handle": {"type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,62}$"},
        "userId": {"type": "string", "pattern": "^[A-Za-z0-9_.-][A-Za-z0-9_@.-]{0,63}$"},
        "digest": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        "drift": {"description": "Something else than an apply had changed it.", "const": true},
        "rule": {
          "enum": [
            "command",
            "manifest",
            "no-longer-listed",
            "exact-membership",
            "absent",
            "moderators-complete",
            "tags-complete",
            "prune",
            "register-option",
            "renamed-from",
            "adoption"
          ]
        },
        "place": {
          "description": "A manifest by its position in 'files', line and column.",
          "type": "array",
          "prefixItems": [
            {"type": "integer", "minimum": 0},
            {"type": "integer", "minimum": 0},
            {"type": "integer", "minimum": 0}
          ],
          "items": false,
          "minItems": 3
        },
        "op-registerUser": {
          "description": "Registers a user.",
          "type": "object",
          "properties": {
            "op": {"const": "registerUser"},
            "user": {"$ref": "#/$defs/userId"},
            "rule": {"$ref": "#/$defs/rule"},
            "at": {"$ref": "#/$defs/place"},
            "profile": {
              "type": "object",
              "properties": {
                "alias": {"type": "string"},
                "ext": {"type": "string"},
                "serverExt": {"type": "string"},
                "nickName": {"type": "string"},
                "avatarUrl": {"type": "string"},
                "sign": {"type": "string"},
                "gender": {"type": "string"},
                "email": {"type": "string"},
                "birth": {"type": "string"},
                "mobile": {"type": "string"},
                "userInfo.ext": {"type": "string"},
                "thumbAvatarUrl": {"type": "string"}
              },
              "required": [],
              "additionalProperties": false
            },
            "devices": {"type": "array", "items": {"type": "string"}},
            "managed": {
              "type": "array",
              "items": {
                "enum": [
                  "alias",
                  "ext",
                  "serverExt",
                  "nickName",
                  "avatarUrl",
                  "sign",
                  "gender",
                  "email",
                  "birth",
                  "mobile",
                  "userInfo.ext",
                  "thumbAvatarUrl",
                  "devices"
                ]
              }
            },
            "drift": {"$ref": "#/$defs/drift"}
          },
          "required": ["op", "rule", "user", "profile", "devices", "managed"],
          "additionalProperties": false
        },
        "op-updateUser": {
          "description": "Changes fields of a user.",
          "type": "object",
          "properties": {
            "op": {"const": "updateUser"},
            "user": {"$ref": "#/$defs/userId"},
            "rule": {"$ref": "#/$defs/rule"},
            "at": {"$ref": "#/$defs/place"},
            "changes": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "field": {
                    "enum": [
                      "alias",
                      "ext",
                      "serverExt",
                      "nickName",
                      "avatarUrl",
                      "sign",
                      "gender",
                      "email",
                      "birth",
                      "mobile",
                      "userInfo.ext",
                      "thumbAvatarUrl"
                    ]
                  },
                  "before": {"type": "string"},
                  "after": {"type": "string"},
                  "at": {
                    "$ref": "#/$defs/place"
                  },
                  "drift": {
                    "$ref": "#/$defs/drift"
                  }
                },
                "required": ["field"],
                "additionalProperties": false
              }
            }
          },
          "required": ["op", "rule", "user", "changes"],
          "additionalProperties": false
        },
        "op-setDevices": {
          "description": "Changes the devices of a user.",
          "type": "object",
          "properties": {
            "op": {"const": "setDevices"},
            "user": {"$ref": "#/$defs/userId"},
            "rule": {"$ref": "#/$defs/rule"},
            "at": {"$ref": "#/$defs/place"},
            "before": {"type": "array", "items": {"type": "string"}},
            "after": {"type": "array", "items": {"type": "string"}},
            "drift": {"$ref": "#/$defs/drift"}
          },
          "required": ["op", "rule", "user", "before", "after"],
          "additionalProperties": false
        },
        "op-markUser": {
          "description": "Notes which fields of a user the manifests manage.",
          "type": "object",
          "properties": {
            "op": {"const": "markUser"},
            "user": {"$ref": "#/$defs/userId"},
            "rule": {"$ref": "#/$defs/rule"},
            "at": {"$ref": "#/$defs/place"},
            "managed": {
              "type": "array",
              "items": {
                "enum": [
                  "alias",
                  "ext",
                  "serverExt",
                  "nickName",
                  "avatarUrl",
                  "sign",
                  "gender",
                  "email",
                  "birth",
                  "mobile",
                  "userInfo.ext",
                  "thumbAvatarUrl",
                  "devices"
                ]
              }
            },
            "drift": {"$ref": "#/$defs/drift"}
          },
          "required": ["op", "rule", "user", "managed"],
          "additionalProperties": false
        },
        "op-createServer": {
          "description": "Creates a server.",
          "type": "object",
          "properties": {
            "op": {"const": "createServer"},
            "newServer": {"$ref": "#/$defs/handle"},
            "rule": {"$ref": "#/$defs/rule"},
            "at": {"$ref": "#/$defs/place"},
            "owner": {"$ref": "#/$defs/userId"},
            "stack": {"type": "string"},
            "attributes": {
              "type": "object",
              "properties": {
                "name": {"type": "string"},
                "type": {"type": "string"},
                "icon": {"type": "string"},
                "background": {"type": "string"},
                "desc": {"type": "string"},
                "ext": {"type": "string"}
              },
              "required": [],
              "additionalProperties": false
            },
            "drift": {"$ref": "#/$defs/drift"}
          },
          "required": ["op", "rule", "newServer", "owner", "attributes"],
          "additionalProperties": false
        },
        "op-updateServer": {
          "description": "Changes attributes of a server.",
          "type": "object",
          "properties": {
            "op": {"const": "updateServer"},
            "server": {"$ref": "#/$defs/serverId"},
            "newServer": {"$ref": "#/$defs/handle"},
            "rule": {"$ref": "#/$defs/rule"},
            "at": {"$ref": "#/$defs/place"},
            "changes": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "field": {
                    "enum": [
                      "name",
                      "type",
                      "icon",
                      "background",
                      "desc",
                      "ext"
                    ]
                  },
                  "before": {
                    "type": "string"
                  },
                  "after": {
                    "type": "string"
                  },
                  "at": {
                    "$ref": "#/$defs/place"
                  },
                  "drift": {
                    "$ref": "#/$defs/drift"
                  }
                },
                "required": ["field"],
                "additionalProperties": false
              }
            }
          },
          "required": ["op", "rule", "changes"],
          "additionalProperties": false,
          "oneOf": [{"required": ["server"]}, {"required": ["newServer"]}]
        },
        "op-destroyServer": {
          "description": "Destroys a server.",
          "type": "object",
          "properties": {
            "op": {"const": "destroyServer"},
            "server": {"$ref": "#/$defs/serverId"},
            "newServer": {"$ref": "#/$defs/handle"},
            "rule": {"$ref": "#/$defs/rule"},
            "at": {"$ref": "#/$defs/place"},
            "drift": {"$ref": "#/$defs/drift"}
          },
          "required": ["op", "rule"],
          "additionalProperties": false,
          "oneOf": [{"required": ["server"]}, {"required": ["newServer"]}]
        },
        "op-renameHandle": {
          "description": "Gives a server another handle.",
          "type": "object",
          "properties": {
            "op": {"const": "renameHandle"},
            "server": {"$ref": "#/$defs/serverId"},
            "newServer": {"$ref": "#/$defs/handle"},
            "rule": {"$ref": "#/$defs/rule"},
            "at": {"$ref": "#/$defs/place"},
            "before": {"$ref": "#/$defs/handle"},
            "after": {"$ref": "#/$defs/handle"},
            "drift": {"$ref": "#/$defs/drift"}
          },
          "required": ["op", "rule", "before", "after"],
          "additionalProperties": false,
          "oneOf": [{"required": ["server"]}, {"required": ["newServer"]}]
        },
        "op-adoptServer": {
          "description": "Brings a server under the stack.",
          "type": "object",
          "properties": {
            "op": {"const": "adoptServer"},
            "server": {"$ref": "#/$defs/serverId"},
            "newServer": {"$ref": "#/$defs/handle"},
            "rule": {"$ref": "#/$defs/rule"},
            "at": {"$ref": "#/$defs/place"},
            "stack": {"type": "string"},
            "drift": {"$ref": "#/$defs/drift"}
          },
          "required": ["op", "rule", "stack"],
          "additionalProperties": false,
          "oneOf": [{"required": ["server"]}, {"required": ["newServer"]}]
        },
        "op-addTagsToServer": {
          "description": "Adds tags.",
          "type": "object",
          "properties": {
            "op": {"const": "addTagsToServer"},
            "server": {"$ref": "#/$defs/serverId"},
            "newServer": {"$ref": "#/$defs/handle"},
            "rule": {"$ref": "#/$defs/rule"},
            "at": {"$ref": "#/$defs/place"},
            "tags": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "name": {"type": "string"},
                  "at": {
                    "$ref": "#/$defs/place"
                  },
                  "drift": {
                    "$ref": "#/$defs/drift"
                  }
                },
                "required": ["name"],
                "additionalProperties": false
              }
            }
          },
          "required": ["op", "rule", "tags"],
          "additionalProperties": false,
          "oneOf": [{"required": ["server"]}, {"required": ["newServer"]}]
        },
        "op-removeTagsFromServer": {
          "description": "Removes tags.",
          "type": "object",
          "properties": {
            "op": {"const": "removeTagsFromServer"},
            "server": {"$ref": "#/$defs/serverId"},
            "newServer": {"$ref": "#/$defs/handle"},
            "rule": {"$ref": "#/$defs/rule"},
            "at": {"$ref": "#/$defs/place"},
            "tags": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "id": {
                    "type": "string"
                  },
                  "name": {
                    "type": "string"
                  },
                  "at": {
                    "$ref": "#/$defs/place"
                  },
                  "drift": {
                    "$ref": "#/$defs/drift"
                  }
                },
                "required": ["id", "name"],
                "additionalProperties": false
              }
            }
          },
          "required": ["op", "rule", "tags"],
          "additionalProperties": false,
          "oneOf": [{"required": ["server"]}, {"required": ["newServer"]}]
        },
        "op-joinServer": {
          "description": "Makes a user a member.",
          "type": "object",
          "properties": {
            "op": {"const": "joinServer"},
            "server": {"$ref": "#/$defs/serverId"},
            "newServer": {"$ref": "#/$defs/handle"},
            "user": {"$ref": "#/$defs/userId"},
            "rule": {"$ref": "#/$defs/rule"},
            "at": {"$ref": "#/$defs/place"},
            "listed": {
              "type": "array",
              "items": {"enum": ["member", "moderator"]}
            },
            "wasListed": {
              "type": "array",
              "items": {"enum": ["member", "moderator"]}
            },
            "drift": {"$ref": "#/$defs/drift"}
          },
          "required": ["op", "rule", "user"],
          "additionalProperties": false,
          "oneOf": [{"required": ["server"]}, {"required": ["newServer"]}]
        },
        "op-inviteUserToServer": {
          "description": "Invites a user.",
          "type": "object",
          "properties": {
            "op": {"const": "inviteUserToServer"},
            "server": {"$ref": "#/$defs/serverId"},
            "newServer": {"$ref": "#/$defs/handle"},
            "user": {"$ref": "#/$defs/userId"},
            "rule": {"$ref": "#/$defs/rule"},
            "at": {"$ref": "#/$defs/place"},
            "welcome": {"type": "string"},
            "refused": {"enum": ["declined", "left-after-accepting"]},
            "drift": {"$ref": "#/$defs/drift"}
          },
          "required": ["op", "rule", "user"],
          "additionalProperties": false,
          "oneOf": [{"required": ["server"]}, {"required": ["newServer"]}]
        },
        "op-withdrawInvitation": {
          "description": "Withdraws the pending invitations of a user.",
          "type": "object",
          "properties": {
            "op": {"const": "withdrawInvitation"},
            "server": {"$ref": "#/$defs/serverId"},
            "newServer": {"$ref": "#/$defs/handle"},
            "user": {"$ref": "#/$defs/userId"},
            "rule": {"$ref": "#/$defs/rule"},
            "at": {"$ref": "#/$defs/place"},
            "inviters": {
              "type": "array",
              "items": {"$ref": "#/$defs/userId"}
            },
            "drift": {"$ref": "#/$defs/drift"}
          },
          "required": ["op", "rule", "user", "inviters"],
          "additionalProperties": false,
          "oneOf": [{"required": ["server"]}, {"required": ["newServer"]}]
        },
        "op-removeUserFromServer": {
          "description": "Removes members, with the role that each has.",
          "type": "object",
          "properties": {
            "op": {"const": "removeUserFromServer"},
            "server": {"$ref": "#/$defs/serverId"},
            "newServer": {"$ref": "#/$defs/handle"},
            "rule": {"$ref": "#/$defs/rule"},
            "at": {"$ref": "#/$defs/place"},
            "users": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "user": {
                    "$ref": "#/$defs/userId"
                  },
                  "role": {
                    "enum": [
                      "owner",
                      "moderator",
                      "user"
                    ]
                  },
                  "wasListed": {
                    "type": "array",
                    "items": {
                      "enum": [
                        "member",
                        "moderator"
                      ]
                    }
                  },
                  "rule": {
                    "$ref": "#/$defs/rule"
                  },
                  "at": {
                    "$ref": "#/$defs/place"
                  },
                  "drift": {
                    "$ref": "#/$defs/drift"
                  }
                },
                "required": ["user", "role", "rule"],
                "additionalProperties": false
              }
            }
          },
          "required": ["op", "rule", "users"],
          "additionalProperties": false,
          "oneOf": [{"required": ["server"]}, {"required": ["newServer"]}]
        },
        "op-addModeratorToServer": {
          "description": "Makes a member a moderator.",
          "type": "object",
          "properties": {
            "op": {"const": "addModeratorToServer"},
            "server": {"$ref": "#/$defs/serverId"},
            "newServer": {"$ref": "#/$defs/handle"},
            "user": {"$ref": "#/$defs/userId"},
            "rule": {"$ref": "#/$defs/rule"},
            "at": {"$ref": "#/$defs/place"},
            "listed": {
              "type": "array",
              "items": {"enum": ["member", "moderator"]}
            },
            "wasListed": {
              "type": "array",
              "items": {"enum": ["member", "moderator"]}
            },
            "drift": {"$ref": "#/$defs/drift"}
          },
          "required": ["op", "rule", "user"],
          "additionalProperties": false,
          "oneOf": [{"required": ["server"]}, {"required": ["newServer"]}]
        },
        "op-removeModeratorFromServer": {
          "description": "Makes a moderator a member like others.",
          "type": "object",
          "properties": {
            "op": {"const": "removeModeratorFromServer"},
            "server": {"$ref": "#/$defs/serverId"},
            "newServer": {"$ref": "#/$defs/handle"},
            "user": {"$ref": "#/$defs/userId"},
            "rule": {"$ref": "#/$defs/rule"},
            "at": {"$ref": "#/$defs/place"},
            "listed": {
              "type": "array",
              "items": {
                "enum": [
                  "member",
                  "moderator"
                ]
              }
            },
            "wasListed": {
              "type": "array",
              "items": {
                "enum": [
                  "member",
                  "moderator"
                ]
              }
            },
            "drift": {"$ref": "#/$defs/drift"}
          },
          "required": ["op", "rule", "user"],
          "additionalProperties": false,
          "oneOf": [{"required": ["server"]}, {"required": ["newServer"]}]
        },
        "op-setServerSettings": {
          "description": "Keeps the settings of a server.",
          "type": "object",
          "properties": {
            "op": {"const": "setServerSettings"},
            "server": {"$ref": "#/$defs/serverId"},
            "newServer": {"$ref": "#/$defs/handle"},
            "rule": {"$ref": "#/$defs/rule"},
            "at": {"$ref": "#/$defs/place"},
            "before": {
              "type": "object",
              "properties": {
                "membership": {
                  "enum": [
                    "managed",
                    "exact",
                    "additive"
                  ]
                },
                "join": {
                  "enum": [
                    "direct",
                    "invite"
                  ]
                },
                "welcome": {"type": "string"},
                "protect": {"type": "boolean"}
              },
              "required": [],
              "additionalProperties": false
            },
            "after": {
              "type": "object",
              "properties": {
                "membership": {
                  "enum": [
                    "managed",
                    "exact",
                    "additive"
                  ]
                },
                "join": {
                  "enum": [
                    "direct",
                    "invite"
                  ]
                },
                "welcome": {"type": "string"},
                "protect": {"type": "boolean"}
              },
              "required": [],
              "additionalProperties": false
            },
            "drift": {"$ref": "#/$defs/drift"}
          },
          "required": ["op", "rule", "before", "after"],
          "additionalProperties": false,
          "oneOf": [{"required": ["server"]}, {"required": ["newServer"]}]
        },
        "op-markServer": {
          "description": "Notes what the manifest of a server manages and lists.",
          "type": "object",
          "properties": {
            "op": {"const": "markServer"},
            "server": {"$ref": "#/$defs/serverId"},
            "newServer": {"$ref": "#/$defs/handle"},
            "rule": {"$ref": "#/$defs/rule"},
            "at": {"$ref": "#/$defs/place"},
            "managed": {
              "type": "array",
              "items": {
                "enum": [
                  "name",
                  "type",
                  "icon",
                  "background",
                  "desc",
                  "ext",
                  "tags",
                  "moderators",
                  "members"
                ]
              }
            },
            "listings": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "user": {
                    "$ref": "#/$defs/userId"
                  },
                  "listed": {
                    "type": "array",
                    "items": {
                      "enum": [
                        "member",
                        "moderator"
                      ]
                    }
                  }
                },
                "required": ["user", "listed"],
                "additionalProperties": false
              }
            },
            "tags": {"type": "array", "items": {"type": "string"}},
            "drift": {"$ref": "#/$defs/drift"}
          },
          "required": ["op", "rule", "managed"],
          "additionalProperties": false,
          "oneOf": [{"required": ["server"]}, {"required": ["newServer"]}]
        }
      }
    }

    """#
}
