/** The reference of the API (api.md M4): pages printed from the contract, which work without internet and script. */
import { CONTRACT } from '@kassa/contract/contract.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { FastifyInstance } from 'fastify'

import { pagePolicy } from '../../http/headers.ts'
import { callsPage } from './calls.ts'
import { errorPage, errorsPage, isErrorCode } from './errors.ts'
import { STYLE_HASH } from './layout.ts'
import { quickStartPage } from './quick-start.ts'
import { statePage, statesPage } from './states.ts'

/** Mounts `/docs` and the pages below it. */
export function mountReference(app: FastifyInstance): void {
  const serve = (path: string, print: (params: Readonly<Record<string, string>>) => string | undefined) =>
    app.get(path, async ({ params }, reply) => {
      const page = print(params as Record<string, string>)
      if (page === undefined) return fail('ROUTE_NOT_FOUND')
      const policy = pagePolicy({ styleHashes: [STYLE_HASH] })
      return reply.headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }).send(page)
    })
  // The largest page is printed once: the contract does not change while the program runs.
  let calls: string | undefined
  serve('/docs', quickStartPage)
  serve('/docs/calls', () => (calls ??= callsPage(CONTRACT)))
  serve('/docs/errors', () => errorsPage(CONTRACT))
  serve('/docs/errors/:code', ({ code = '' }) => (isErrorCode(code) ? errorPage(CONTRACT, code) : undefined))
  serve('/docs/states', statesPage)
  serve('/docs/states/:noun/:state', ({ noun = '', state = '' }) => statePage(noun, state))
}
