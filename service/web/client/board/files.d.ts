/** The drawings of a folder by name: `import icons from "./art/icons/*.svg"`. */
declare module "*.svg" {
  const drawings: import("./scene.ts").Icons;
  export default drawings;
}
/** `import style from "./board.css"` gives a renderer the text of the style sheet. */
declare module "*.css" {
  const text: string;
  export default text;
}
