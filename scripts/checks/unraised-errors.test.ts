import { describe, expect, it } from 'vitest'
import { inPlantedTree } from './planted-tree.ts'
import { checkUnraisedErrors } from './unraised-errors.ts'

const service = 'apps/server/src/modules/payments/service.ts'

async function ask(text: string, path = service, answered = ['PAYMENT_NOT_OPEN']) {
  const catalogue = { codes: ['PAYMENT_NOT_OPEN'], answered }
  const outcome = await inPlantedTree({ [path]: `${text}\n` }, (root) => checkUnraisedErrors(root, catalogue))
  return outcome.findings.map(({ message }) => message)
}

const nothing = ['Nothing raises PAYMENT_NOT_OPEN: it enters the catalogue with what raises it']

describe('unraised errors', () => {
  it.each([
    ["fail('PAYMENT_NOT_OPEN')"],
    ["throw new ApiError(isOpen ? 'PAYMENT_NOT_OPEN' : 'OTHER')"],
    ["const blockedBy = { code: 'PAYMENT_NOT_OPEN' }"],
  ])('accepts a code that the server names: %s', async (text) => {
    expect(await ask(text)).toEqual([])
  })

  it.each([
    ['nobody names', "fail('PAYMENT_NOT_OPEN_YET')"],
    ['is only compared with', "if (code === 'PAYMENT_NOT_OPEN' || 'PAYMENT_NOT_OPEN' !== code) stop()"],
    ['only a comment names', "// fail('PAYMENT_NOT_OPEN')"],
  ])('names a code that %s', async (_, text) => {
    expect(await ask(text)).toEqual(nothing)
  })

  it.each(['packages/contract/src/payments/routes.ts', 'apps/server/src/modules/payments/open.test.ts'])(
    'does not count what %s says',
    async (path) => {
      expect(await ask("fail('PAYMENT_NOT_OPEN')", path)).toEqual(nothing)
    },
  )

  it('names a code that no route answers', async () => {
    expect(await ask("fail('PAYMENT_NOT_OPEN')", service, ['OTHER'])).toEqual([
      'No route answers PAYMENT_NOT_OPEN: declare it at the routes that do',
    ])
  })
})
