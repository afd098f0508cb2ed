class Shelf(dict):
    def take(self, options, **more):
        options = dict(options)
        made = self[options.pop("kind")]
        return made(**options, **more)


SHELF = Shelf()


def take(options, **more):
    return SHELF.take(options, **more)
