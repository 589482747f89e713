/** The drawings of a folder by their names: `import icons from "./art/icons/*.svg"`. */
declare module "*.svg" {
  const drawings: import("./scene.ts").Icons;
  export default drawings;
}
/** What `import style from "./board.css"` gives a renderer: the text of the style sheet. */
declare module "*.css" {
  const text: string;
  export default text;
}
