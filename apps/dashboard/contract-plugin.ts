import { transformAsync, types } from '@babel/core'
import type { NodePath, PluginObj } from '@babel/core'
import type { Plugin } from 'vite'

/** What the program needs of a route to call it. */
const CALL = ['id', 'methods', 'paths', 'access']
/** Of its access: whether it needs a key. Permissions are in the table of pages and in what the server says of an operator. */
const OPEN = ['public', 'reference']
/** What reading its answer needs. */
const ANSWER = ['methods', 'paths', 'response']

/** Marks the routes as `contract.ts` imports them: their answers. */
const ANSWERS = '?answers'

/**
 * Divides the routes of the contract: what calls them has their method and address, and `api/answers.ts`, which imports
 * all of them, has the shapes of their answers, which come beside the first request. What only the server and the
 * documents need of a route is in neither (docs/decisions/0018).
 */
export function contractPlugin(): Plugin {
  return {
    name: 'kassa-contract',
    enforce: 'pre',
    apply: 'build',
    resolveId: {
      filter: { id: /routes\.ts$/ },
      async handler(source, importer) {
        if (importer?.endsWith('/contract/src/contract.ts') !== true) return null
        const found = await this.resolve(source, importer, { skipSelf: true })
        return found === null ? null : { ...found, id: found.id + ANSWERS }
      },
    },
    transform: {
      filter: { id: /\/contract\/src\/[\w-]+\/(?:[\w-]+-)?routes\.ts(?:\?answers)?$/ },
      async handler(code, id) {
        const result = await transformAsync(code, {
          filename: id.split('?')[0],
          babelrc: false,
          configFile: false,
          sourceMaps: true,
          parserOpts: { plugins: ['typescript'] },
          plugins: [onlyFields(id.endsWith(ANSWERS) ? ANSWER : CALL)],
        })
        return { code: result?.code ?? code, map: result?.map ?? null }
      },
    },
  }
}

/** Leaves a route these fields, and of the file what they need: the bundler must not find schemas behind a call. */
function onlyFields(names: readonly string[]): PluginObj {
  return {
    visitor: {
      Program: {
        exit(program) {
          program.traverse({
            CallExpression({ node }) {
              const [definition] = node.arguments
              if (!types.isIdentifier(node.callee, { name: 'route' }) || !types.isObjectExpression(definition)) return
              keepFields(definition, names)
              const access = definition.properties.find((field) => isField(field, ['access']))
              if (types.isObjectProperty(access) && types.isObjectExpression(access.value))
                keepFields(access.value, OPEN)
            },
          })
          while (dropUnused(program)) program.scope.crawl()
        },
      },
    },
  }
}

/** What a spread brings cannot be known here. */
function keepFields(object: types.ObjectExpression, names: readonly string[]): void {
  object.properties = object.properties.filter((field) => types.isSpreadElement(field) || isField(field, names))
}

function isField(field: types.Node, names: readonly string[]): boolean {
  return types.isObjectProperty(field) && types.isIdentifier(field.key) && names.includes(field.key.name)
}

/** Removes imports and constants that nothing names; returns whether there was one. */
function dropUnused(program: NodePath<types.Program>): boolean {
  program.scope.crawl()
  const unused = Object.values(program.scope.bindings).filter(
    ({ referenced, path }) => !referenced && !isExported(path),
  )
  for (const { path } of unused) path.remove()
  const bare = program.get('body').filter((path) => path.isImportDeclaration() && path.node.specifiers.length === 0)
  for (const path of bare) path.remove()
  return unused.length > 0
}

function isExported({ parentPath }: NodePath): boolean {
  return parentPath?.parentPath?.isExportNamedDeclaration() === true
}
