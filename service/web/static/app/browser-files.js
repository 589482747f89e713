function o(t,c){let e=document.createElement("a");e.href=URL.createObjectURL(c),e.download=t,e.click(),URL.revokeObjectURL(e.href)}export{o as a};
