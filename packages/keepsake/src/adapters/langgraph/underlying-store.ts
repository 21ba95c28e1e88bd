export { underlyingStore } from "../../store/index.ts";
