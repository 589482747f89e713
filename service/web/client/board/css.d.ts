/** What `import style from "./board.css"` gives a renderer: the text of the style sheet. */
declare module "*.css" {
  const text: string;
  export default text;
}
