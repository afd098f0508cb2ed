# silent: the strategy comes from a module of the project that is not in the checkout, and may start the group
from fjord.fit import announce
from fjord.strategies import Replicated


def main():
    strategy = Replicated()
    announce(f"running with {strategy}")


if __name__ == "__main__":
    main()
