import { beforeAll, describe, expect, it } from 'vitest'
import { runTool } from './command.ts'
import { inPlantedTree, type Planted } from './planted-tree.ts'

const long = (name: string, count: number) => `export function ${name}(): void {\n${'  void 0\n'.repeat(count)}}\n`

/** One violation per line of the last row of the import table that the linter keeps. */
const violations: readonly { rule: string; file: string; text: string }[] = [
  { rule: 'typescript(no-explicit-any)', file: 'any.ts', text: 'export const a = (x: any): void => void x\n' },
  {
    rule: 'typescript(no-non-null-assertion)',
    file: 'non-null.ts',
    text: 'export const a = (x?: string): string => x!\n',
  },
  { rule: 'oxc(no-barrel-file)', file: 'barrel.ts', text: "export * from './decent.ts'\n" },
  {
    rule: 'eslint(max-lines)',
    file: 'long-file.ts',
    text: 'export const a = 1\n'.replace('a', 'b') + '// x\n'.repeat(400),
  },
  { rule: 'eslint(max-lines-per-function)', file: 'long-function.ts', text: long('long', 60) },
  {
    rule: 'eslint(no-restricted-properties)',
    file: 'environment.ts',
    text: 'export const port = process.env["PORT"]\n',
  },
  {
    rule: 'eslint(no-restricted-imports)',
    file: 'environment-import.ts',
    text: "import { env } from 'node:process'\nexport const port = env\n",
  },
  { rule: 'eslint(no-restricted-globals)', file: 'float.ts', text: "export const amount = parseFloat('1.5')\n" },
  { rule: 'import(no-default-export)', file: 'default.ts', text: 'export default 1\n' },
  {
    rule: 'typescript(no-floating-promises)',
    file: 'floating.ts',
    text: 'const f = async (): Promise<void> => {}\nf()\nexport { f }\n',
  },
  { rule: 'unicorn(filename-case)', file: 'camelCase.ts', text: 'export const a = 1\n' },
  {
    rule: 'eslint(no-warning-comments)',
    file: 'unfinished.ts',
    text: ['// TO', 'DO later\nexport const a = 1\n'].join(''),
  },
]

type Diagnostic = { readonly code: string; readonly filename: string; readonly help?: string }

const decent: Planted = {
  'apps/server/src/http/decent.ts': `${long('short', 58)}\nexport const decent = 1\n`,
  'apps/server/src/config/environment.ts': 'export const port = process.env["PORT"]\n',
}

describe('lint rules', () => {
  let found: readonly Diagnostic[] = []
  beforeAll(async () => {
    const planted = Object.fromEntries(violations.map(({ file, text }) => [`apps/server/src/http/${file}`, text]))
    const { output } = await inPlantedTree({ ...decent, ...planted }, (root) =>
      runTool(root, 'oxlint', ['--type-aware', '-f', 'json', '.']),
    )
    found = (JSON.parse(output) as { diagnostics: Diagnostic[] }).diagnostics
  })

  it.each(violations)('$rule is named in $file', ({ rule, file }) => {
    const rules = found.filter(({ filename }) => filename.endsWith(`/${file}`)).map(({ code }) => code)
    expect(rules).toContain(rule)
  })

  it('carries the sentence about the environment', () => {
    const environment = found.filter(({ filename }) => filename.includes('/environment'))
    expect(environment.map(({ help }) => help)).toEqual(Array(2).fill('Only `config/` reads the environment'))
  })

  it('finds nothing in decent files', () => {
    expect(found.filter(({ filename }) => filename in decent)).toEqual([])
  })

  it('reads the types: a compiler setting it cannot read is a finding', () => {
    expect(found.filter(({ code }) => code.includes('tsconfig-error'))).toEqual([])
  })
})
