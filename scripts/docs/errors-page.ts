import { COMMON_ERRORS, ERRORS, type ErrorCode } from '@kassa/contract/errors.ts'
import type { Routes } from '@kassa/contract/kit/route.ts'
import { page, printedFrom, table } from './markdown.ts'

type Groups = Readonly<Record<string, Routes>>

/** Prints the error catalogue with the routes that declare each code. */
export function errorsPage(groups: Groups): string {
  const common = new Set<string>(COMMON_ERRORS)
  const declared = routesByCode(groups)
  const codes = Object.keys(ERRORS) as ErrorCode[]
  const rows = (wanted: readonly ErrorCode[]) =>
    wanted.map((code) => [
      `\`${code}\``,
      String(ERRORS[code].status),
      ERRORS[code].message,
      (declared.get(code) ?? []).join(', '),
    ])
  return page(
    '# Errors',
    printedFrom('packages/contract/src/errors.ts'),
    'Programs branch on the code and on nothing else. A code is never renamed; its message may become clearer.',
    '## Every route',
    table(
      ['Code', 'Status', 'Message'],
      rows(COMMON_ERRORS).map((row) => row.slice(0, 3)),
    ),
    '## Declared by routes',
    'The last column names the routes (their numbers are `x-kassa-id` in openapi.json) that answer with the code.',
    table(['Code', 'Status', 'Message', 'Routes'], rows(codes.filter((code) => !common.has(code)))),
  )
}

function routesByCode(groups: Groups): Map<string, string[]> {
  const byCode = new Map<string, string[]>()
  for (const route of Object.values(groups).flatMap((routes) => Object.values(routes))) {
    for (const code of route.errors) byCode.set(code, [...(byCode.get(code) ?? []), route.id])
  }
  return byCode
}
