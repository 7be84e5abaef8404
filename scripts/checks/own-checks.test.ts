import { describe, expect, it } from 'vitest'
import { checkDocstrings } from './docstrings.ts'
import { compare } from './generated-docs.ts'
import { architectureRules } from './architecture-rules.ts'
import { checkNames } from './names.ts'
import type { Outcome } from './outcome.ts'
import { inPlantedTree, type Planted } from './planted-tree.ts'
import { checkServerRoles } from './server-roles.ts'
import { checkSizes } from './sizes.ts'
import { checkSpecificationRows } from './specification-rows.ts'
import { checkSpecificationTexts } from './specification-texts.ts'
import { untestedErrors } from './untested-errors.ts'
import { checkWrittenDocs } from './written-docs.ts'

const modules = 'apps/server/src/modules'
const places = ({ findings }: Outcome) =>
  findings.map(({ file, line }) => (line === undefined ? file : `${file}:${line}`))
const messages = ({ findings }: Outcome) => findings.map(({ message }) => message).join('\n')
const lines = (count: number) => 'export const x = 1\n'.repeat(count)

async function ask(check: (root: string) => Promise<Outcome>, files: Planted): Promise<Outcome> {
  return inPlantedTree(files, check)
}

describe('server roles', () => {
  it('names SQL outside a store', async () => {
    const outcome = await ask(checkServerRoles, {
      [`${modules}/payments/service.ts`]: "\nctx.db.selectFrom('payments')\n",
      [`${modules}/payments/cancel-payment.ts`]: 'await sql<{ id: number }>`select 1`\n',
      [`${modules}/payments/store.ts`]: "ctx.db.selectFrom('payments') // sql`select`\n",
      [`${modules}/payments/search-store.ts`]: 'sql`select 1`\n',
      'apps/server/src/db/migrate.ts': 'sql`select 1`\n',
    })
    expect(places(outcome)).toEqual([`${modules}/payments/cancel-payment.ts:1`, `${modules}/payments/service.ts:2`])
    expect(messages(outcome)).toContain(architectureRules.sql)
  })

  it('names rules that read the clock', async () => {
    const outcome = await ask(checkServerRoles, {
      [`${modules}/payments/rules.ts`]: '/* Date.now() */\nexport const now = () => new Date()\n',
      [`${modules}/payments/fee-rules.ts`]: 'export const at = (ms: number) => new Date(ms)\n',
    })
    expect(places(outcome)).toEqual([`${modules}/payments/rules.ts:2`])
    expect(messages(outcome)).toBe(architectureRules.rules)
  })
})

describe('state of files', () => {
  it.each([
    'let running = 0',
    'export let manifest: string | undefined',
    'const pools = new WeakMap<object, string>()',
    'export const byTab = new Map()',
    'const waiting: (() => void)[] = []',
    'const open: Record<string, number> = {}',
  ])('names %s', async (line) => {
    const outcome = await ask(checkServerRoles, { 'apps/server/src/http/streams.ts': `\n${line}\n` })
    expect(places(outcome)).toEqual(['apps/server/src/http/streams.ts:2'])
    expect(messages(outcome)).toBe(architectureRules.state)
  })

  it('ignores constants, and variables within a function', async () => {
    const outcome = await ask(checkServerRoles, {
      [`${modules}/payments/stream.ts`]: [
        "const FINAL = new Set(['FILLED'])",
        'const NONE: ReadonlyMap<string, number> = new Map<never, never>()',
        'const open = remembered(() => new Map<string, number>())',
        'function count() {\n  let left = 0\n  const seen = new Set()\n  return left + seen.size\n}',
      ].join('\n'),
    })
    expect(outcome.findings).toEqual([])
  })
})

describe('queues', () => {
  it('names work that is sent by the name of its queue', async () => {
    const outcome = await ask(checkServerRoles, {
      [`${modules}/wallets/pool.ts`]: "await ctx.jobs.send(ctx, 'wallets.fill-pool', pool)\n",
      [`${modules}/wallets/fill.ts`]: 'await fillPoolJob.send(ctx, pool)\n',
      'apps/server/src/jobs/jobs.ts': 'ctx.jobs.send(ctx, name, payload)\n',
    })
    expect(places(outcome)).toEqual([`${modules}/wallets/pool.ts:1`])
    expect(messages(outcome)).toBe(architectureRules.queues)
  })
})

describe('notifications', () => {
  it('names a notification within a transaction, in code and in a trigger', async () => {
    const outcome = await ask(checkServerRoles, {
      [`${modules}/payments/store.ts`]: "await sql`SELECT pg_notify('kassa_live', ${text})`.execute(ctx.db)\n",
      'apps/server/src/db/migrations/0099-loud.sql': 'CREATE TABLE loud (id int);\nNOTIFY kassa_live;\n',
      'apps/server/src/events/store.ts': 'await sql`SELECT pg_notify(${channel}, ${text})`.execute(db)\n',
      [`${modules}/blockchains/nodes/monitor-nodes.ts`]: 'const NOTIFY_EVERY_MS = 60_000 // NOTIFY is not sent here\n',
    })
    expect(places(outcome)).toEqual([`${modules}/payments/store.ts:1`, 'apps/server/src/db/migrations/0099-loud.sql:2'])
    expect(messages(outcome)).toContain(architectureRules.notifications)
  })
})

describe('names', () => {
  it.each(['utils.ts', 'http-utils.ts', 'common/time.ts', 'PaymentManager.tsx', 'index.ts', 'data.ts'])(
    'refuses %s',
    async (name) => {
      const outcome = await ask(checkNames, { [`apps/dashboard/src/lib/${name}`]: '' })
      expect(places(outcome)).toEqual([`apps/dashboard/src/lib/${name}`])
    },
  )

  it('accepts names that say what is inside', async () => {
    const outcome = await ask(checkNames, {
      'apps/dashboard/src/ui/table/DataTable.tsx': '',
      'apps/dashboard/index.html': '',
    })
    expect(outcome.findings).toEqual([])
  })

  it.each([
    ['Names a folder', ['/wo', 'rk/main']],
    ['Names a folder', ['/ho', 'me/ann/kassa']],
    ['Names the host', ['registry.np', 'mjs.org']],
  ])('%s in text', async (message, parts) => {
    const outcome = await ask(checkNames, { 'docs/page.md': `ok\nsee ${parts.join('')}/x\n` })
    expect(places(outcome)).toEqual(['docs/page.md:2'])
    expect(messages(outcome)).toContain(message)
  })

  it.each([
    ['apps/server/src/modules/payments/kept-money.ts', ''],
    ['apps/server/src/modules/payments/units.ts', 'export function tellShop() {}'],
    ['apps/server/src/modules/payments/units.ts', 'const inner = 1'],
    ['apps/server/src/modules/payments/units.ts', 'type Fact = string'],
    ['apps/dashboard/src/locales/en.po', 'msgid "The held money counts."'],
    ['docs/page.md', 'It goes on by itself.'],
  ])('refuses a private word in %s: %s', async (path, text) => {
    expect(places(await ask(checkNames, { [path]: text }))).toHaveLength(1)
  })

  it('accepts words that only contain a refused one', async () => {
    const path = 'apps/server/src/modules/payments/units.ts'
    const text = 'export function innermost(watchdog: string) {}\nconst untilled = "amended at a recommended price"\n'
    expect((await ask(checkNames, { [path]: text })).findings).toEqual([])
  })

  it('leaves routes and system folders alone', async () => {
    const outcome = await ask(checkNames, { 'docs/page.md': 'GET /member/root/exist, /var/lib/kassa, /tmp\n' })
    expect(outcome.findings).toEqual([])
  })
})

describe('sizes', () => {
  it('names a file of more than 400 lines', async () => {
    const outcome = await ask(checkSizes, {
      'scripts/long.ts': lines(401),
      ...Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`scripts/short-${index}.ts`, lines(50)])),
    })
    expect(places(outcome)).toEqual(['scripts/long.ts'])
    expect(outcome.note).toBe('41 files, median 50 lines, 95th percentile 50')
  })

  it('names a median and a 95th percentile that grew', async () => {
    const outcome = await ask(checkSizes, { 'scripts/a.ts': lines(300), 'scripts/b.ts': lines(300) })
    expect(messages(outcome)).toContain('median file has 300 lines')
    expect(messages(outcome)).toContain('95th percentile: 300')
  })

  it('does not count printed files', async () => {
    const outcome = await ask(checkSizes, { 'packages/solidity/src/generated/token.ts': lines(900) })
    expect(outcome.findings).toEqual([])
  })
})

describe('docstrings', () => {
  it('names an exported function without a sentence and a service without an introduction', async () => {
    const outcome = await ask(checkDocstrings, {
      'packages/primitives/src/money/units.ts': '/** Adds. */\nexport function add() {}\n\nexport function sub() {}\n',
      [`${modules}/payments/service.ts`]: "import './rules.ts'\n",
      [`${modules}/payments/routes.ts`]: 'export function handlers() {}\n',
    })
    expect(places(outcome)).toEqual([`${modules}/payments/service.ts:1`, 'packages/primitives/src/money/units.ts:4'])
  })
})

describe('written docs', () => {
  it('names links and paths that lead nowhere', async () => {
    const outcome = await ask(checkWrittenDocs, {
      'README.md':
        '[a](docs/a.md#part) [b](docs/b.md) [web](https://example.com)\n`apps/server/package.json` `apps/lost/file.ts`\n',
      'docs/a.md': '[home](../README.md) `apps/<name>/file.ts`\n',
    })
    expect(places(outcome)).toEqual(['README.md:1', 'README.md:2'])
    expect(messages(outcome)).toContain('docs/b.md')
  })

  it('names a decision without its check and an architecture page that grew too long', async () => {
    const outcome = await ask(checkWrittenDocs, {
      'docs/ARCHITECTURE.md': 'line\n'.repeat(146),
      'docs/decisions/0001-a.md': '**Enforced by** the compiler.\n',
      'docs/decisions/0002-b.md': 'We decided.\n',
    })
    expect(places(outcome)).toEqual(['docs/ARCHITECTURE.md', 'docs/decisions/0002-b.md'])
  })
})

describe('specification texts', () => {
  const page = "| 'Add project' | `brandColor`, `name` |\n| Copy | 'Failed to copy {label}' | `/setPassword` |\n"
  const screen = 'Add project, brandColor, `Failed to copy ${label}`'

  it('names a text, a field and a path that no longer exist', async () => {
    const outcome = await ask(checkSpecificationTexts, {
      'docs/spec/product.md': page.replace("'Add", "'Add new"),
      'apps/dashboard/src/lib/texts.ts': screen.replace('brandColor', ''),
      'apps/dashboard/src/lib/texts.test.ts': `${screen} Add new project`,
    })
    expect(messages(outcome).split('\n')).toEqual(
      ['Add new project', 'brandColor', '/setPassword'].map(
        (text) => `'${text}' stands nowhere in apps/ or packages/contract/`,
      ),
    )
    expect(outcome.note).toBe('4 texts and names')
  })

  it('refuses a page that fixes nothing', async () => {
    const outcome = await ask(checkSpecificationTexts, { 'docs/spec/product.md': 'Words.\n' })
    expect(messages(outcome)).toBe('fixes no text')
  })
})

describe('specification rows', () => {
  const product = [
    '## 2. Screens',
    '',
    '| Item | Route |',
    '|---|---|',
    '| Home | /home |',
    '- /away',
    '| More | not stated |',
  ]
  const files: Planted = {
    'docs/spec/product.md': `${product.join('\n')}\n`,
    'e2e/spec/routes.test.ts': "it('spec §2 /home: opens', () => {})\nit('spec §2 /else: opens', () => {})\n",
    'apps/dashboard/src/a.test.ts': "// it('goes', () => {})\nit.each(['a'])('goes away', () => {})\n",
  }
  const away = { row: '/away', file: 'apps/dashboard/src/a.test.ts', title: 'goes away' }
  const check = (rows: Parameters<typeof checkSpecificationRows>[1]) =>
    ask((root) => checkSpecificationRows(root, rows), files)

  it('names a line without a row and a browser test that proves none', async () => {
    const outcome = await check({ '§2': ['/home'] })
    expect(places(outcome)).toEqual(['docs/spec/product.md:6', 'e2e/spec/routes.test.ts:2'])
  })

  it('names a row without its test and a row that the specification does not have', async () => {
    const outcome = await check({ '§2': ['/home', away, { ...away, title: 'goes' }, '/else'] })
    expect(messages(outcome).split('\n')).toEqual([
      'No test proves "§2 /away"',
      'The specification does not say "/else" in §2',
    ])
  })
})

describe('untested errors', () => {
  it('lists declared codes that no test names, with their routes', async () => {
    const route = { errors: ['PAYMENT_NOT_OPEN', 'PAYMENT_NOT_FOUND'], id: 'Y8' }
    const rows = await inPlantedTree({ 'apps/server/src/a.test.ts': "expect(code).toBe('PAYMENT_NOT_OPEN')" }, (root) =>
      untestedErrors(root, { payments: { cancel: route } } as never),
    )
    expect(rows).toEqual([{ code: 'PAYMENT_NOT_FOUND', routes: ['Y8'] }])
  })
})

describe('generated docs', () => {
  it('names a page that is missing or older than what it is printed from', async () => {
    const pages = new Map([
      ['docs/a.md', 'new\n'],
      ['docs/b.md', 'same\n'],
      ['docs/c.md', '\n'],
    ])
    const outcome = await inPlantedTree({ 'docs/a.md': 'old\n', 'docs/b.md': 'same\n' }, (root) => compare(root, pages))
    expect(places(outcome)).toEqual(['docs/a.md', 'docs/c.md'])
  })
})
