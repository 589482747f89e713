/** What `import style from "./board.css"` of a renderer gives: the text of a style sheet. */
declare module "*.css" {
  const style: string;
  export default style;
}
