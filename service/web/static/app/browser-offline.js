var{serviceWorker:e}=navigator;e?.register("/worker.js").catch(()=>{});e?.addEventListener("message",({data:t,ports:a})=>{t==="path"&&a[0]?.postMessage(location.pathname)});
