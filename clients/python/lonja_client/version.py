"""The version of the client, which is that of the service it is released with."""

VERSION = "0.3.0.dev0"
