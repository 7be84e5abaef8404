import { basename, dirname } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { dashboardRooms, roomRule, tablesOfRooms } from './dashboard-rooms.ts'
import { architectureRules, moduleOrder, moduleRooms } from './architecture-rules.ts'
import { importRules } from './import-rules.ts'
import { checkImports } from './imports.ts'
import type { Finding } from './outcome.ts'
import { inPlantedTree, type Planted } from './planted-tree.ts'

const modules = 'apps/server/src/modules'
const dashboard = 'apps/dashboard/src'
const empty = 'export const nothing = 0\n'
/** Type imports after typed code: a parser that does not know TypeScript's syntax reads none of them. */
const importing = (...specifiers: string[]) =>
  'type Pair<T> = readonly [T, T]\nexport const first = <T,>(pair: Pair<T>): T => pair[0] satisfies T\n' +
  specifiers.map((specifier) => `import type {} from '${specifier}'\n`).join('')

/** One violation per rule: the file that breaks it, and what it writes. */
const violations: readonly { rule: string; file: string; text: string }[] = [
  {
    rule: 'no-circles',
    file: 'packages/contract/src/loop-a.ts',
    text: "import type { B } from './loop-b.ts'\nexport type A = B\n",
  },
  {
    rule: 'packages-below-apps',
    file: 'packages/chains/src/up.ts',
    text: importing('../../../apps/server/src/context.ts'),
  },
  { rule: 'product-below-tools', file: 'apps/server/src/db/tool.ts', text: importing('../../../../scripts/tool.ts') },
  { rule: 'testing-is-for-tests', file: 'apps/server/src/db/borrowed.ts', text: importing('../testing/builders.ts') },
  {
    rule: 'server-layer-below-modules',
    file: 'apps/server/src/http/up.ts',
    text: importing('../modules/auth/service.ts'),
  },
  { rule: 'nothing-above-app', file: `${modules}/auth/up.ts`, text: importing('../../app.ts') },
  { rule: 'modules-below-sandbox', file: `${modules}/prices/up.ts`, text: importing('../../sandbox/payer.ts') },
  { rule: 'module-has-a-layer', file: `${modules}/bonuses/service.ts`, text: importing('../settings/service.ts') },
  { rule: 'primitives-stand-alone', file: 'packages/primitives/src/greedy.ts', text: importing('node:fs') },
  { rule: 'contract-uses-primitives-and-zod', file: 'packages/contract/src/greedy.ts', text: importing('viem') },
  { rule: 'keys-only-compute', file: 'packages/keys/src/greedy.ts', text: importing('node:crypto') },
  {
    rule: 'chains-know-no-payments',
    file: 'packages/chains/src/evm/payments.ts',
    text: importing('@kassa/contract/payments/schemas.ts'),
  },
  { rule: 'one-family-alone', file: 'packages/chains/src/tron/borrow.ts', text: importing('../evm/codec.ts') },
  {
    rule: 'shared-chain-code-below-families',
    file: 'packages/chains/src/node/up.ts',
    text: importing('../evm/codec.ts'),
  },
  {
    rule: 'apps-share-packages-not-files',
    file: 'apps/dashboard/src/lib/borrow.ts',
    text: importing('../../../checkout/src/render/page.ts'),
  },
  {
    rule: 'one-entry-between-apps',
    file: 'apps/server/src/app.ts',
    text: importing('../../checkout/src/client/main.ts'),
  },
  { rule: 'module-entry', file: `${modules}/payments/peek.ts`, text: importing('../customers/store.ts') },
  { rule: 'app-entry', file: 'apps/server/src/app.ts', text: importing('./modules/customers/store.ts') },
  { rule: 'sandbox-entry', file: 'apps/server/src/sandbox/peek.ts', text: importing('../modules/customers/store.ts') },
  {
    rule: 'payer-pages-entry',
    file: 'apps/server/src/pages/promoter.ts',
    text: importing('./payer/refusal.ts'),
  },
  {
    rule: 'ledger-knows-no-module',
    file: `${modules}/ledger/asking.ts`,
    text: importing('../blockchains/chains/service.ts'),
  },
  { rule: 'sql-in-stores', file: `${modules}/customers/service.ts`, text: importing('kysely') },
  { rule: 'store-calls-nobody', file: `${modules}/wallets/store.ts`, text: importing('./service.ts') },
  { rule: 'rules-compute', file: `${modules}/payments/rules.ts`, text: "import '../../db/pool.ts'\n" },
  {
    rule: 'one-feature-alone',
    file: 'apps/dashboard/src/features/wallets/peek.tsx',
    text: importing('../payments/list.tsx'),
  },
  { rule: 'dashboard-layer-of-routes', file: `${dashboard}/routes/up.tsx`, text: importing('../app/router.tsx') },
  {
    rule: 'dashboard-layer-of-features',
    file: `${dashboard}/features/payments/up.tsx`,
    text: importing('../../routes/home.tsx'),
  },
  {
    rule: 'dashboard-layer-of-labels',
    file: `${dashboard}/labels/up.ts`,
    text: importing('../features/payments/list.tsx'),
  },
  { rule: 'dashboard-layer-of-ui', file: `${dashboard}/ui/up.tsx`, text: importing('../labels/payment.ts') },
  { rule: 'dashboard-layer-of-api', file: `${dashboard}/api/up.ts`, text: importing('../ui/button.tsx') },
  { rule: 'dashboard-layer-of-lib', file: `${dashboard}/lib/up.ts`, text: importing('../api/client.ts') },
  ...Object.entries(dashboardRooms).flatMap(([folder, rooms]) =>
    rooms.map((room, index) => ({
      rule: roomRule(folder, room),
      file: `${dashboard}/${folder}/${room}/up.ts`,
      text: importing(index === 0 ? '../entry.ts' : `../${rooms[index - 1] ?? ''}/above.ts`),
    })),
  ),
  {
    rule: 'ui-draws',
    file: 'apps/dashboard/src/ui/knowing.tsx',
    text: importing('@kassa/contract/payments/schemas.ts'),
  },
  { rule: 'declared-in-package-json', file: 'apps/server/src/db/undeclared.ts', text: importing('undeclared') },
  { rule: 'import-resolves', file: 'apps/server/src/db/lost.ts', text: importing('./nowhere.ts') },
  { rule: 'declared', file: 'apps/dashboard/src/lib/undeclared.ts', text: importing('@kassa/primitives/money.ts') },
  ...moduleOrder.slice(0, -1).map((name, index) => ({
    rule: `order-of-${name}`,
    file: `${modules}/${name}/up.ts`,
    text: importing(`../${moduleOrder[index + 1] ?? ''}/service.ts`),
  })),
  ...Object.entries(moduleRooms).flatMap(([module, { order, ground }]) => [
    ...order.map((room, index) => ({
      rule: `room-${module}-${room}`,
      file: `${modules}/${module}/${room}/up.ts`,
      text: importing(index === 0 ? '../service.ts' : `../${order[index - 1]}/service.ts`),
    })),
    ...(order.every((room) => ground.includes(room))
      ? []
      : [
          {
            rule: `root-of-${module}`,
            file: `${modules}/${module}/peek.ts`,
            text: importing(`./${order[0]}/store.ts`),
          },
          {
            rule: `room-stores-of-${module}`,
            file: `${modules}/${module}/${order.at(-1)}/peek.ts`,
            text: importing(`../${order.find((room) => !ground.includes(room) && room !== order.at(-1))}/store.ts`),
          },
        ]),
    { rule: `rooms-of-${module}`, file: `${modules}/${module}/attic/service.ts`, text: importing('../service.ts') },
  ]),
]

/** What a well-behaved tree of the same layout imports: every door used the allowed way. */
const decent: Planted = {
  'packages/primitives/src/money.ts': empty,
  'packages/contract/src/payments/schemas.ts': importing('zod', '@kassa/primitives/money.ts'),
  'packages/contract/src/loop-b.ts': 'export type B = 1\n',
  'packages/keys/src/address-text.ts': importing('./extended-key.ts'),
  'packages/keys/src/extended-key.ts': empty,
  'packages/chains/src/evm/codec.ts': importing('viem', '@kassa/primitives/money.ts', '@kassa/keys/address-text.ts'),
  'packages/chains/src/adapters.ts': importing('./evm/codec.ts'),
  'packages/chains/src/tron/codec.ts': empty,
  'scripts/tool.ts': importing('../packages/contract/src/payments/schemas.ts'),
  'apps/checkout/src/render/page.ts': importing('@kassa/contract/payments/schemas.ts'),
  'apps/checkout/src/client/main.ts': importing('../render/page.ts'),
  'apps/server/src/context.ts': importing('./db/pool.ts'),
  'apps/server/src/app.ts': importing(
    './modules/payments/routes.ts',
    './modules/settings/service.ts',
    './sandbox/payer.ts',
    '@kassa/checkout/render/page.ts',
  ),
  'apps/server/src/db/pool.ts': importing('kysely'),
  'apps/server/src/pages/payer/mount.ts': importing('./refusal.ts'),
  'apps/server/src/pages/payer/refusal.ts': empty,
  'apps/server/src/sandbox/payer.ts': importing('../modules/settings/service.ts'),
  'apps/server/src/testing/builders.ts': importing('../modules/customers/store.ts'),
  [`${modules}/payments/routes.ts`]: importing('./service.ts'),
  [`${modules}/payments/rules.ts`]: importing('@kassa/primitives/money.ts', './fee-rules.ts', '../../context.ts'),
  [`${modules}/payments/fee-rules.ts`]: empty,
  [`${modules}/payments/service.test.ts`]: importing('../customers/store.ts', '../../testing/builders.ts'),
  [`${modules}/customers/store.ts`]: importing('kysely'),
  ...Object.fromEntries(moduleOrder.map((name) => [`${modules}/${name}/service.ts`, empty])),
  ...Object.fromEntries(
    Object.entries(moduleRooms).flatMap(([module, { order, ground }]) => [
      ...order.map((room) => [`${modules}/${module}/${room}/service.ts`, empty]),
      ...order.map((room) => [`${modules}/${module}/${room}/store.ts`, empty]),
      [
        `${modules}/${module}/jobs.ts`,
        importing(...order.map((room) => `./${room}/service.ts`), ...ground.map((room) => `./${room}/store.ts`)),
      ],
    ]),
  ),
  'apps/dashboard/src/app/router.tsx': importing('../routes/home.tsx'),
  'apps/dashboard/src/routes/home.tsx': importing('../features/payments/list.tsx'),
  'apps/dashboard/src/features/payments/list.tsx': importing('../../ui/button.tsx', '../../api/client.ts'),
  'apps/dashboard/src/api/client.ts': importing('@kassa/contract/payments/schemas.ts'),
  [`${dashboard}/labels/payment.ts`]: importing('../ui/button.tsx', '@kassa/contract/payments/schemas.ts'),
  ...Object.fromEntries(
    Object.entries(dashboardRooms).flatMap(([folder, rooms]) => [
      [`${dashboard}/${folder}/entry.ts`, importing(`./${rooms[0]}/above.ts`)],
      ...rooms.map((room, index) => [
        `${dashboard}/${folder}/${room}/above.ts`,
        index === rooms.length - 1 ? empty : importing(`../${rooms[index + 1] ?? ''}/above.ts`),
      ]),
    ]),
  ),
  ...Object.fromEntries(
    tablesOfRooms.flatMap((table) => [
      [`${dashboard}/${table}`, empty],
      [`${dashboard}/${dirname(table)}/navigation/reads-the-table.ts`, importing(`../${basename(table)}`)],
    ]),
  ),
  'apps/dashboard/src/ui/button.tsx': 'export const Button = () => <b />\n',
}

/** The decent tree with every violation planted; a file planted twice breaks two rules. */
function planted(): Planted {
  const files: Record<string, string> = { ...decent }
  files['packages/contract/src/loop-b.ts'] = "import type { A } from './loop-a.ts'\nexport type B = A | 1\n"
  for (const { file, text } of violations) files[file] = (files[file] ?? '') + text
  return files
}

describe('import rules', () => {
  let findings: readonly Finding[] = []
  beforeAll(async () => {
    findings = (await inPlantedTree(planted(), checkImports)).findings
  })

  it.each(violations)('names $rule', ({ rule, file }) => {
    const named = findings.filter((finding) => finding.file === file).map(({ message }) => message)
    expect(named).toContainEqual(expect.stringContaining(`[${rule}]`))
  })

  it('has a planted violation for every rule of the import checker', () => {
    const planned = new Set(violations.map(({ rule }) => rule))
    expect(importRules.forbidden.map(({ name }) => name).filter((name) => !planned.has(name))).toEqual([])
  })

  it('gives every rule the sentence of its row', () => {
    const sentences = new Set<string>(Object.values(architectureRules))
    expect(importRules.forbidden.filter(({ comment }) => !sentences.has(comment))).toEqual([])
  })

  it('finds nothing in a tree that keeps the rules', async () => {
    const { findings: none, note } = await inPlantedTree(decent, checkImports)
    expect(none).toEqual([])
    expect(note).toContain('largest circle 0')
  })

  it('counts the files of the largest circle', async () => {
    const { note } = await inPlantedTree(planted(), checkImports)
    expect(note).toMatch(/largest circle [2-9]/)
  })
})
