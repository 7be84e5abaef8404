import { ERRORS } from '@kassa/contract/errors.ts'
import { type Access, permissionsOfAccess, type Route, type Routes } from '@kassa/contract/kit/route.ts'
import type * as z from 'zod/mini'

import { escapeHtml } from '../html.ts'
import { descriptions, layout } from './layout.ts'
import { anchorOf, writtenPath } from './paths.ts'

/** Every call, by noun. */
export function callsPage(groups: Readonly<Record<string, Routes>>): string {
  const nouns = Object.entries(groups).filter(([, routes]) => Object.keys(routes).length > 0)
  const links = nouns.map(([noun]) => `<a href="#${noun}">${escapeHtml(readable(noun))}</a>`).join('')
  const sections = nouns.map(([noun, routes]) => section(noun, routes)).join('')
  return layout({
    section: '/docs/calls',
    title: 'Calls',
    body:
      '<p>Paths are below <code>/api/v1</code>. Send your key in the header <code>API-Key</code>. ' +
      'For programs: <a href="/api/v1/openapi.json">OpenAPI 3.1</a>, <a href="/api/v1/errors.json">error codes</a>.</p>' +
      `<nav aria-label="Contents">${links}</nav>${sections}`,
  })
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
    ...(route.errors.length > 0 ? [['Errors', route.errors.map(errorLink).join(' ')] as [string, string]] : []),
  ]
  const paths = route.paths.map((path) => `<code>${escapeHtml(writtenPath(path))}</code>`)
  return (
    `<article id="${anchorOf(route)}"><h3><span class="method">${route.methods.join(', ')}</span>${paths.join(' · ')}</h3>` +
    `${escapeHtml(route.summary)}${descriptions(facts)}</article>`
  )
}

function callers(access: Access): string {
  if (access.public) return 'anybody'
  const who = [
    access.reference && 'anyone who knows the payment’s reference id',
    access.referral && 'a promoter, by the token of their page',
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

function codes(names: readonly string[]): string {
  return names.map((name) => `<code>${escapeHtml(name)}</code>`).join(' ')
}

function errorLink(code: string): string {
  const { message } = ERRORS[code as keyof typeof ERRORS]
  return `<a href="/docs/errors/${code}" title="${escapeHtml(message)}"><code>${code}</code></a>`
}

function readable(noun: string): string {
  const words = noun.replace(/([A-Z])/g, ' $1').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
