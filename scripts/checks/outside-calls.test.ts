import { describe, expect, it } from 'vitest'

import { checkOutsideCalls } from './outside-calls.ts'
import { inPlantedTree, type Planted } from './planted-tree.ts'

const modules = 'apps/server/src/modules'

/** A node is asked three calls below an importer of `addNode`. */
const NODES: Planted = {
  [`${modules}/blockchains/nodes/ask.ts`]: `export async function ask(ctx: Context) {
  return ctx.egress.fetch('node')
}
`,
  [`${modules}/blockchains/service.ts`]: `import { ask as askNode } from './nodes/ask.ts'

export async function tryNode(ctx: Context) {
  return askNode(ctx)
}

export async function addNode(ctx: Context) {
  await tryNode(ctx)
}
`,
  [`${modules}/auth/password-hash.ts`]: `import { argon2 } from 'node:crypto'

const derive = promisify(argon2)

export async function hashPassword(password: string) {
  return derive(password)
}
`,
  'packages/contract/src/blockchains/routes.ts': `export const nodesRoutes = {
  addNode: route({
    id: 'B5',
    methods: ['POST'],
  }),
  listNodes: route({
    id: 'B4',
    methods: ['GET'],
  }),
  testNode: route({
    id: 'B6',
    methods: ['POST'],
    repeatable: true,
  }),
}
`,
}

const handlers = (body: string) => ({
  [`${modules}/blockchains/routes.ts`]: `import { addNode, tryNode } from './service.ts'

export const nodesHandlers: Handlers<typeof nodesRoutes> = {
${body}
}
`,
})

const service = (body: string) => ({
  [`${modules}/auth/service.ts`]: `import { hashPassword } from './password-hash.ts'

${body}
`,
})

async function ask(files: Planted) {
  const { findings } = await inPlantedTree({ ...NODES, ...files }, checkOutsideCalls)
  return findings.map(({ file, line, message }) => `${file}:${line ?? ''} ${message}`)
}

describe('calls outside the database', () => {
  it.each([
    ['the handler of a write', handlers('  addNode: async (ctx) => addNode(ctx),'), 'routes.ts:4 the handler addNode'],
    [
      'a method that handles one',
      handlers('  async addNode(ctx) {\n    await addNode(ctx)\n  },'),
      'the handler addNode',
    ],
    [
      'what was to be prepared',
      handlers('  addNode: prepared({\n    prepare: tryNode,\n    perform: (ctx) => tryNode(ctx),\n  }),'),
      'routes.ts:6 the handler addNode',
    ],
    [
      'the work of a transaction',
      service(
        'export async function save(ctx: Context) {\n  return inTransaction(ctx, async (tx) => {\n    await hashPassword("a")\n  })\n}',
      ),
      'service.ts:4 a transaction',
    ],
    [
      'a function that takes tx',
      service('async function save(tx: Context) {\n  await hashPassword("a")\n}'),
      'service.ts:3 save',
    ],
    [
      'the way out itself',
      service('const save = (ctx: Context) => inTransaction(ctx, (tx) => tx.egress.request("node", {}))'),
      'service.ts:3 a transaction',
    ],
  ])('names %s that reaches them', async (_, files, place) => {
    const found = await ask(files)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(place)
    expect(found[0]).toContain('prepare it before (decision 0031)')
  })

  it('names the calls in between', async () => {
    const [found] = await ask(handlers('  addNode: (ctx) => addNode(ctx),'))
    expect(found).toContain('(addNode → tryNode → ask)')
  })

  it('lets reads, tests and what is prepared ask, and what comes before or after a transaction', async () => {
    const prepared = '  addNode: prepared({\n    prepare: (ctx) => tryNode(ctx),\n    perform: async () => null,\n  }),'
    const others = '  listNodes: (ctx) => tryNode(ctx),\n\n  testNode: (ctx) => tryNode(ctx),'
    const around =
      'export async function save(ctx: Context) {\n  const hash = await hashPassword("a")\n  await inTransaction(ctx, (tx) => insert(tx, hash))\n  return hashPassword("b")\n}'
    expect(await ask({ ...handlers(`${prepared}\n\n${others}`), ...service(around) })).toEqual([])
  })

  it('does not take what follows the work of a transaction for a part of it', async () => {
    const named =
      'export async function save(ctx: Context) {\n  const use = (tx: Context) => insert(tx)\n  return hashPassword("a", use)\n}'
    expect(await ask(service(named))).toEqual([])
  })
})
