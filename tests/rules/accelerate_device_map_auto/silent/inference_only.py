# silent: nothing is trained
from accelerate import Accelerator, notebook_launcher
from transformers import AutoModelForCausalLM


def answer(name):
    accelerator = Accelerator()
    model = AutoModelForCausalLM.from_pretrained(name, device_map="auto")
    model.eval()
    accelerator.print(model.generate(max_new_tokens=20))


notebook_launcher(answer, ("gpt2",), num_processes=2)
