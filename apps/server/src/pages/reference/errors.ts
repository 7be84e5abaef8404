import { adviceOf } from '@kassa/contract/error-advice.ts'
import { COMMON_ERRORS, type ErrorCode, ERRORS } from '@kassa/contract/errors.ts'
import type { Route, Routes } from '@kassa/contract/kit/route.ts'

import { escapeHtml } from '../html.ts'
import { descriptions, layout } from './layout.ts'
import { anchorOf, writtenPath } from './paths.ts'

type Groups = Readonly<Record<string, Routes>>

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code)
}

/** Every code with its message, those of every call first. */
export function errorsPage(groups: Groups): string {
  const codes = Object.keys(ERRORS) as ErrorCode[]
  const list = (wanted: readonly ErrorCode[]) =>
    descriptions(
      wanted.map((code) => [
        `<a href="/docs/errors/${code}"><code>${code}</code></a>`,
        `${ERRORS[code].status} · ${escapeHtml(ERRORS[code].message)}`,
      ]),
    )
  const declared = codes.filter((code) => !isCommon(code) && raisedBy(groups, code).length > 0)
  return layout({
    section: '/docs/errors',
    title: 'Errors',
    body:
      '<p>Programs branch on the code and on nothing else. A code is never renamed; its message may become clearer.</p>' +
      `<h2>Every call</h2>${list(COMMON_ERRORS)}<h2>Declared by calls</h2>${list(declared)}`,
  })
}

/** One code: what it means, which calls answer with it, what to do next. */
export function errorPage(groups: Groups, code: ErrorCode): string {
  const { status, message } = ERRORS[code]
  const calls = raisedBy(groups, code).map(
    (route) =>
      `<li><a href="/docs/calls#${anchorOf(route)}"><code>${route.methods.join(', ')} ${escapeHtml(writtenPath(route.paths[0]))}</code></a> ${escapeHtml(route.summary)}</li>`,
  )
  const when = isCommon(code) ? '<p>Every call may answer with it.</p>' : `<ul>${calls.join('')}</ul>`
  const isFilledIn = message.includes('{')
  return layout({
    section: '/docs/errors',
    title: code,
    body:
      `<h2>What it means</h2><p>${escapeHtml(message)}</p>` +
      (isFilledIn ? '<p>The answer has values in place of the names in braces.</p>' : '') +
      `<p>Status <code>${status}</code>.</p><h2>When it is answered</h2>${when}` +
      `<h2>What to do next</h2><p>${escapeHtml(adviceOf(code))}</p>`,
  })
}

function isCommon(code: ErrorCode): boolean {
  return COMMON_ERRORS.some((common) => common === code)
}

function raisedBy(groups: Groups, code: ErrorCode): Route[] {
  const routes: Route[] = Object.values(groups).flatMap((group) => Object.values(group))
  return routes.filter(({ errors }) => errors.includes(code))
}
