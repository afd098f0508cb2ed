from transformers import HfArgumentParser, TrainingArguments


def main():
    parser = HfArgumentParser(TrainingArguments)
    parser.add_argument("--plums", default=None)
    print(parser.parse_args())


if __name__ == "__main__":
    main()
