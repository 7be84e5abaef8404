/** The reference of the API (api.md M4): one page printed from the contract, which works without internet and script. */
import { createHash } from 'node:crypto'

import { CONTRACT } from '@kassa/contract/contract.ts'
import { ERRORS } from '@kassa/contract/errors.ts'
import { type Access, permissionsOfAccess, type Route, type Routes } from '@kassa/contract/kit/route.ts'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod/mini'

import { pagePolicy } from '../http/headers.ts'
import { escapeHtml } from './html.ts'

const STYLE =
  ':root{color-scheme:light dark;--line:light-dark(#e2e4df,#343731);--muted:light-dark(#6a6d66,#a9aca5);--sunken:light-dark(#eff1ed,#252722)}' +
  'body{font:16px/1.55 system-ui,sans-serif;margin:0;background:light-dark(#f6f7f4,#090b07);color:light-dark(#10120e,#f6f7f4)}' +
  'main{max-width:60rem;margin:0 auto;padding:3rem 1.25rem}h1{font-size:1.75rem;letter-spacing:-.01em}h2{margin-top:3rem;font-size:1.3rem;text-transform:capitalize}' +
  'nav{display:flex;flex-wrap:wrap;gap:.4rem 1rem}a{color:light-dark(#536e09,#caff54)}p{max-width:68ch}.muted{color:var(--muted)}' +
  'article{border:1px solid var(--line);border-radius:12px;padding:1rem 1.25rem;margin:1rem 0;background:light-dark(#fff,#10120e)}' +
  'article h3{margin:0 0 .35rem;font-size:1rem}code{font-family:ui-monospace,monospace;font-size:.875em;overflow-wrap:anywhere}' +
  '.method{display:inline-block;font-weight:600;padding:0 .45rem;border-radius:4px;background:var(--sunken);margin-inline-end:.5rem}' +
  'dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1.25rem;margin:.75rem 0 0;font-size:.9375rem}dt{color:var(--muted)}dd{margin:0}'
const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`

/** Mounts `/docs`, printed once: the contract does not change while the program runs. */
export function mountReference(app: FastifyInstance): void {
  let page: string | undefined
  app.get('/docs', async (_request, reply) => {
    page ??= referencePage()
    const policy = pagePolicy({ styleHashes: [STYLE_HASH] })
    return reply.headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }).send(page)
  })
}

function referencePage(): string {
  const nouns = Object.entries<Routes>(CONTRACT).filter(([, routes]) => Object.keys(routes).length > 0)
  const links = nouns.map(([noun]) => `<a href="#${noun}">${escapeHtml(readable(noun))}</a>`).join('')
  const sections = nouns.map(([noun, routes]) => section(noun, routes)).join('')
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>Kassa API reference</title><style>${STYLE}</style></head><body><main><h1>Kassa API reference</h1>` +
    `<p>Paths are below <code>/api/v1</code>. Send your key in the header <code>API-Key</code>. ` +
    `For programs: <a href="/api/v1/openapi.json">OpenAPI 3.1</a>, <a href="/api/v1/errors.json">error codes</a>.</p>` +
    `<nav aria-label="Contents">${links}</nav>${sections}</main></body></html>`
  )
}

function section(noun: string, routes: Routes): string {
  return `<h2 id="${noun}">${escapeHtml(readable(noun))}</h2>${Object.values(routes).map(article).join('')}`
}

function article(route: Route): string {
  const facts: [string, string][] = [
    ['Who', escapeHtml(callers(route.access))],
    ...fieldsFact('Path', route.params),
    ...fieldsFact('Query', route.query),
    ...fieldsFact('Body', route.body),
    ['Answer', `<code>${route.status ?? 200}</code> ${codes(fieldNames(route.response))}`],
    ...(route.errors.length > 0
      ? [['Errors', codes(route.errors, (code) => ERRORS[code as keyof typeof ERRORS].message)] as [string, string]]
      : []),
  ]
  const paths = route.paths.map((path) => `<code>${escapeHtml(path.startsWith('//') ? path.slice(1) : path)}</code>`)
  const rows = facts.map(([name, html]) => `<dt>${name}</dt><dd>${html}</dd>`).join('')
  return (
    `<article><h3><span class="method">${route.methods.join(', ')}</span>${paths.join(' · ')}</h3>` +
    `${escapeHtml(route.summary)}<dl>${rows}</dl></article>`
  )
}

function callers(access: Access): string {
  if (access.public) return 'anybody'
  const who = [
    access.reference && 'whoever knows the payment’s reference id',
    access.scope && `an API key with ${access.scope}`,
    access.permission && `an operator with ${permissionsOfAccess(access).join(' or ')}`,
    access.operator && 'any operator',
  ].filter((one) => typeof one === 'string')
  return who.join(', or ') + (access.stepUp ? ', after confirming that it is them' : '')
}

function fieldsFact(name: string, schema: z.ZodMiniType | undefined): [string, string][] {
  const names = schema === undefined ? [] : fieldNames(schema)
  return names.length === 0 ? [] : [[name, codes(names)]]
}

type Definition = {
  readonly type: string
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>
  readonly element?: z.ZodMiniType
}

/** The names of an object's fields, or of those of a list's items. */
function fieldNames(schema: z.ZodMiniType): string[] {
  const definition = schema._zod.def as unknown as Definition
  if (definition.element) return fieldNames(definition.element)
  return Object.keys(definition.shape ?? {})
}

function codes(names: readonly string[], title?: (name: string) => string): string {
  return names
    .map((name) => `<code${title ? ` title="${escapeHtml(title(name))}"` : ''}>${escapeHtml(name)}</code>`)
    .join(' ')
}

function readable(noun: string): string {
  return noun.replace(/([A-Z])/g, ' $1').toLowerCase()
}
