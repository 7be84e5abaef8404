import { describe, expect, it } from 'vitest'
import { inPlantedTree } from './planted-tree.ts'
import { checkUnusedReasons } from './unused-reasons.ts'

async function ask(text: string, path = 'apps/server/src/modules/payments/resolution/rules.ts') {
  const outcome = await inPlantedTree({ [path]: `${text}\n` }, (root) => checkUnusedReasons(root, ['not_final']))
  return outcome.findings.map(({ message }) => message)
}

const nothing = ['Nothing produces not_final: it enters its catalogue with the rule that returns it']

describe('unused reasons', () => {
  it.each([["return isSeen ? 'not_final' : null"], ["return [{ code: 'not_final', params: {} }]"]])(
    'accepts a code that a rule returns: %s',
    async (text) => {
      expect(await ask(text)).toEqual([])
    },
  )

  it.each([
    ['nobody names', "return 'not_final_yet'"],
    ['is only compared with', "if (code === 'not_final') stop()"],
    ['only a comment names', "// return 'not_final'"],
  ])('names a code that %s', async (_, text) => {
    expect(await ask(text)).toEqual(nothing)
  })

  it('does not count what a screen or a test names', async () => {
    expect(await ask("return 'not_final'", 'apps/dashboard/src/labels/words.ts')).toEqual(nothing)
    expect(await ask("return 'not_final'", 'apps/server/src/modules/payments/rules.test.ts')).toEqual(nothing)
  })
})
