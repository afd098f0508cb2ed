# silent: the call is in another module of the project, behind a re-export and a class
from glacier import Session
from torch import nn


def main():
    with Session(backend="gloo") as session:
        session.fit(nn.Linear(4, 1), steps=40)


if __name__ == "__main__":
    main()
