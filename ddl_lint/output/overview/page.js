page.jumps([...document.querySelectorAll("[data-finding]")], "start");
page.folding([...document.querySelectorAll("details")]);
