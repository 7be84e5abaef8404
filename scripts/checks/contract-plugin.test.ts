import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Rolldown } from 'vite'
import { describe, expect, it } from 'vitest'
import { contractPlugin } from '../../apps/dashboard/contract-plugin.ts'
import { inPlantedTree } from './planted-tree.ts'

const contract = 'packages/contract/src'
const files = {
  [`${contract}/kit/route.ts`]: 'export const route = <R>(definition: R): R => definition\n',
  [`${contract}/books/schemas.ts`]: "export const Book = { shape: 'of a book' }\n",
  [`${contract}/books/routes.ts`]: `
    import { route } from '../kit/route.ts'
    import { Book } from './schemas.ts'
    const inputs = { shape: 'of an input', also: Book }
    const shared = { methods: ['GET'], access: { public: true } } as const
    export const booksRoutes = {
      list: route({ ...shared, id: 'B1', paths: ['/books'], summary: 'Lists books.', body: inputs, response: Book, errors: ['GONE'] }),
      add: route({ id: 'B2', methods: ['POST'], paths: ['/book'], access: { permission: 'book:write', stepUp: 'S' }, response: Book }),
    }`,
  [`${contract}/contract.ts`]:
    "import { booksRoutes } from './books/routes.ts'\nexport const all = Object.values(booksRoutes)\n",
  'apps/dashboard/src/call.ts':
    "import { booksRoutes } from '../../../packages/contract/src/books/routes.ts'\nexport const called = booksRoutes.list\n",
  'apps/dashboard/src/answers.ts':
    "import { all } from '../../../packages/contract/src/contract.ts'\nexport const answers = all\n",
}

/** Builds one file with all it imports. */
function built(name: string): Promise<string> {
  return inPlantedTree(files, async (root) => {
    const result = await build({
      root,
      configFile: false,
      logLevel: 'error',
      plugins: [contractPlugin()],
      build: {
        write: false,
        minify: false,
        lib: { entry: join(root, `apps/dashboard/src/${name}.ts`), formats: ['es'] },
      },
    })
    const [{ output }] = [result].flat() as Rolldown.RolldownOutput[] as [Rolldown.RolldownOutput]
    return output[0].code
  })
}

describe('contract plugin', () => {
  it('leaves a call its method, address and whether it needs a key, and no shape', async () => {
    const code = await built('call')
    for (const part of ['GET', '/books', 'public: true', 'B1']) expect(code).toContain(part)
    for (const part of ['of a book', 'of an input', 'Lists books.', 'GONE', 'book:write', 'stepUp'])
      expect(code).not.toContain(part)
  })

  it('leaves answers their shape, and nothing of what is sent', async () => {
    const code = await built('answers')
    for (const part of ['of a book', '/books', 'GET']) expect(code).toContain(part)
    for (const part of ['of an input', 'Lists books.', 'GONE', 'B1']) expect(code).not.toContain(part)
  })

  it('knows the files of the contract by the names they have', async () => {
    const text = await readFile(join(import.meta.dirname, '../../packages/contract/src/contract.ts'), 'utf8')
    const routes = [...text.matchAll(/from '(\.\/[^']*)'/g)].map(([, path = '']) => path)
    const others = routes.filter((path) => !/^\.\/[\w-]+\/(?:[\w-]+-)?routes\.ts$/.test(path))
    expect(others).toEqual(['./kit/route.ts'])
  })
})
