/** The content of a mail, without its layout. */
export type EmailMessage = {
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** The one button. */
  readonly action?: { readonly label: string; readonly url: string }
  /** Why it was sent, and what to do when the recipient did not ask for it. */
  readonly foot: string
  /** What it is written in; absent: English. */
  readonly language?: { readonly code: string; readonly dir: 'ltr' | 'rtl' }
}

const ENGLISH = { code: 'en', dir: 'ltr' } as const

/** The message as plain text. */
export function textOf({ paragraphs, action, foot }: EmailMessage): string {
  return [...paragraphs, ...(action ? [`${action.label}: ${action.url}`] : []), '-- ', foot].join('\n\n')
}

/** The message as HTML that every mail program shows: tables and inline styles, no image, nothing fetched. */
export function htmlOf({ subject, paragraphs, action, foot, language = ENGLISH }: EmailMessage): string {
  const body = paragraphs.map((text) => `<p style="margin:0 0 16px">${escape(text)}</p>`).join('')
  return (
    `<!doctype html><html lang="${language.code}" dir="${language.dir}"><head><meta charset="utf-8"><title>${escape(subject)}</title></head>` +
    `<body style="margin:0;padding:24px;background:#f6f7f4;color:#10120e;font:16px/24px system-ui,sans-serif">` +
    `<table role="presentation" align="center" width="100%" style="max-width:560px;background:#ffffff;border:1px solid #e2e4df;border-radius:12px">` +
    `<tr><td style="padding:32px"><h1 style="margin:0 0 16px;font-size:22px;line-height:28px">${escape(subject)}</h1>` +
    `${body}${action ? button(action) : ''}` +
    `<p style="margin:24px 0 0;font-size:13px;line-height:20px;color:#6a6d66">${escape(foot)}</p></td></tr></table></body></html>`
  )
}

function button({ label, url }: { readonly label: string; readonly url: string }): string {
  return (
    `<p style="margin:0 0 16px"><a href="${escape(url)}" style="display:inline-block;padding:10px 20px;border-radius:8px;background:#caff54;color:#10120e;font-weight:600;text-decoration:none">${escape(label)}</a></p>` +
    `<p style="margin:0 0 16px;font-size:13px;line-height:20px;color:#6a6d66;word-break:break-all">${escape(url)}</p>`
  )
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
