/** DOMPurify under the names that monaco-editor imports. */
import purify from 'dompurify';

export const { addHook, removeHook, sanitize } = purify;
