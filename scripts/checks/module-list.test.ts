import { describe, expect, it } from 'vitest'
import { checkModuleList } from './module-list.ts'
import { inPlantedTree, type Planted } from './planted-tree.ts'

const modules = 'apps/server/src/modules'
const moduleFile = (name: string) => `export const one: Module = { name: '${name}' }\n`
const listing = (...names: readonly string[]) => ({
  'apps/server/src/app.ts': `const MODULES: readonly Module[] = [\n${names.map((name) => `  ${name},\n`).join('')}]\n`,
})
const decent: Planted = {
  ...listing('vaults', 'apiKeys', 'bulkJobs({ actions })', 'payments'),
  [`${modules}/vaults/module.ts`]: moduleFile('vaults'),
  [`${modules}/api-keys/module.ts`]: moduleFile('api-keys'),
  [`${modules}/bulk-jobs/module.ts`]: moduleFile('bulk-jobs'),
  [`${modules}/payments/module.ts`]: moduleFile('payments'),
}

async function ask(files: Planted): Promise<string[]> {
  const { findings } = await inPlantedTree({ ...decent, ...files }, checkModuleList)
  return findings.map(({ file, message }) => `${file} ${message}`)
}

describe('list of modules', () => {
  it('finds nothing where the list is the order', async () => {
    expect(await ask({})).toEqual([])
  })

  it.each([
    ['a module that is missing', ['vaults', 'bulkJobs()', 'payments']],
    ['another order', ['vaults', 'apiKeys', 'payments', 'bulkJobs()']],
    ['a module that stands there twice', ['vaults', 'apiKeys', 'apiKeys', 'bulkJobs()', 'payments']],
  ])('names %s', async (_, names) => {
    expect(await ask(listing(...names))).toEqual([
      expect.stringContaining('expected: vaults, api-keys, bulk-jobs, payments. `app.ts` lists every module once'),
    ])
  })

  it('names a module that has no object, or one with another name', async () => {
    const found = await ask({
      [`${modules}/vaults/module.ts`]: moduleFile('vault'),
      [`${modules}/wallets/service.ts`]: 'export const x = 1\n',
      ...listing('vaults', 'apiKeys', 'wallets', 'bulkJobs()', 'payments'),
    })
    expect(found).toEqual([
      expect.stringMatching(/vaults\/module\.ts `app\.ts` lists every module once/),
      expect.stringMatching(/wallets\/module\.ts `app\.ts` lists every module once/),
    ])
  })
})
