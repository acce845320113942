document.documentElement.classList.add("map");
