import { transformAsync, types } from '@babel/core'
import type { PluginObj } from '@babel/core'
import macros from '@lingui/babel-plugin-lingui-macro'
import { makeConfig } from '@lingui/conf'
import type { LinguiConfig } from '@lingui/conf'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

/** Where the macros take `Trans` from: the language never changes while a page is open, so no provider is needed. */
export const runtimeConfigModule = { Trans: ['#Trans', 'Trans'] } satisfies LinguiConfig['runtimeConfigModule']

const linguiConfig = makeConfig({ runtimeConfigModule }, { skipValidation: true })

/**
 * Puts the texts of the source into the program: `t`, `msg`, `Trans` and `Plural` of Lingui become calls that carry
 * their English message, already parsed. So each chunk brings its own English and no catalogue has to be fetched; the
 * catalogue of another language, once it is loaded, goes before it (docs/decisions/0013).
 */
export function textsPlugin(): Plugin {
  return {
    name: 'kassa-texts',
    enforce: 'pre',
    transform: {
      filter: { id: /\.tsx?$/, code: /from ['"]@lingui\/(?:core|react)\/macro['"]/ },
      async handler(code, id) {
        const result = await transformAsync(code, {
          filename: id.split('?')[0],
          babelrc: false,
          configFile: false,
          sourceMaps: true,
          parserOpts: { plugins: ['typescript', 'jsx'] },
          plugins: [[macros, { descriptorFields: 'message', linguiConfig }], parsedMessages],
        })
        return { code: result?.code ?? code, map: result?.map ?? null }
      },
    },
  }
}

/** Replaces the message of each descriptor that the macros wrote by what Lingui makes of it. */
function parsedMessages(): PluginObj {
  return {
    visitor: {
      Program: {
        exit(program) {
          program.traverse({
            ObjectExpression({ node }) {
              if (!node.leadingComments?.some(({ value }) => value.includes('i18n'))) return
              for (const field of node.properties) {
                if (!types.isObjectProperty(field) || !types.isIdentifier(field.key, { name: 'message' })) continue
                if (!types.isStringLiteral(field.value)) continue
                field.value = types.valueToNode([compileMessage(field.value.value)].flat())
              }
            },
          })
        },
      },
    },
  }
}
