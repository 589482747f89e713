import{i as e}from"./preact.js?v=f99d2b9965ed9168";function n(t){e(()=>{document.title=t?`${t} – Lonja`:"Lonja"},[t])}export{n as a};
