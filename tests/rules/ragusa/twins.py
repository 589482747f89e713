def every():
    return iter(())
