/** esbuild adds imported style sheets to the bundle. */
declare module '*.css';
