const MARK = Symbol('html')

/** Markup that is safe to insert. Only `html` and `trusted` create it, so unescaped input never has this type. */
export type Html = { readonly [MARK]: true; readonly text: string }

/** A value of a template: text is escaped, markup and lists of it are inserted unchanged, null, undefined and false print nothing. */
export type Part = Html | string | number | null | undefined | false | readonly Part[]

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Builds markup from a template; every value is escaped unless it is markup already. Attribute values stand in quotes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0] ?? ''
  parts.forEach((part, index) => {
    text += print(part) + (strings[index + 1] ?? '')
  })
  return { [MARK]: true, text }
}

/** Escapes text for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}

/** Marks text written in this package (a style sheet) as safe markup; never call it with input. */
export function trusted(text: string): Html {
  return { [MARK]: true, text }
}

function print(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  return isHtml(part) ? part.text : part.map(print).join('')
}

function isHtml(part: Html | readonly Part[]): part is Html {
  return MARK in part
}
