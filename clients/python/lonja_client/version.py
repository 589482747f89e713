"""The version of the client, equal to the version of the service with which it is released."""

VERSION = "0.3.0.dev0"
