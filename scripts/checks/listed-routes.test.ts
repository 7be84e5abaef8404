import { describe, expect, it } from 'vitest'
import { checkListedRoutes } from './listed-routes.ts'
import { inPlantedTree, type Planted } from './planted-tree.ts'

const folder = 'packages/contract/src'
const routes = (...names: readonly string[]) => names.map((name) => `export const ${name} = {} as const\n`).join('')
const decent: Planted = {
  [`${folder}/contract.ts`]: `import { mailRoutes } from './mail/routes.ts'
import { payoutsRoutes, payoutListRoutes } from './payouts/list-routes.ts'
export const CONTRACT = {
  mail: mailRoutes,
  payouts: payoutsRoutes,
  payoutLists: payoutListRoutes,
} as const
`,
  [`${folder}/mail/routes.ts`]: routes('mailRoutes'),
  [`${folder}/payouts/list-routes.ts`]: routes('payoutsRoutes', 'payoutListRoutes'),
}

async function ask(files: Planted): Promise<string[]> {
  const { findings } = await inPlantedTree({ ...decent, ...files }, checkListedRoutes)
  return findings.map(({ file, line, message }) => `${file}:${line} ${message}`)
}

describe('listed routes', () => {
  it('finds nothing where every group of routes is listed', async () => {
    expect(await ask({})).toEqual([])
  })

  it('names a file that the contract does not import, and a group that it imports and does not list', async () => {
    const found = await ask({
      [`${folder}/views/routes.ts`]: routes('viewsRoutes'),
      [`${folder}/mail/routes.ts`]: `${routes('mailRoutes')}\n${routes('mailTestRoutes')}`,
      [`${folder}/contract.ts`]: `import { mailTestRoutes } from './mail/routes.ts'\n${decent[`${folder}/contract.ts`]}`,
    })
    expect(found.toSorted()).toEqual([
      `${folder}/mail/routes.ts:3 ${folder}/contract.ts lists every route: add mailTestRoutes to CONTRACT`,
      `${folder}/views/routes.ts:1 ${folder}/contract.ts lists every route: add viewsRoutes to CONTRACT`,
    ])
  })

  it('leaves tests, and files that hold no routes, alone', async () => {
    expect(
      await ask({
        [`${folder}/views/routes.test.ts`]: routes('viewsRoutes'),
        [`${folder}/kit/route.ts`]: routes('anyRoutes'),
      }),
    ).toEqual([])
  })
})
