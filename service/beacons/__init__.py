"""Public beacons, as drand defines them: chains, their signatures, and relays that serve rounds."""
