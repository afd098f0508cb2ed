pip install -r requirements.txt --extra-index-url https://download.pytorch.org/whl/cu118
