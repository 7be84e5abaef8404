import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import solc from 'solc'

/** Changes the text of a source before it is compiled. */
export type Edit = (text: string) => string
type Range = { start: number; length: number }
type Compiled = {
  abi: { type: string }[]
  evm: {
    bytecode: { object: string }
    deployedBytecode: { object: string; immutableReferences: Record<string, Range[]> }
  }
}
type AstNode = { id: number; name?: string; nodeType: string; nodes?: AstNode[] }
type CompilerOutput = {
  errors?: { severity: string; formattedMessage: string }[]
  sources?: Record<string, { ast: AstNode }>
  contracts?: Record<string, Record<string, Compiled>>
}

/** The part of the compiler's JavaScript interface that is used here; it comes without types. */
const compiler = solc as { compile(standardJson: string): string }

const SOURCES = join(import.meta.dirname, '../src')
const GENERATED = join(SOURCES, 'generated')

const COMMON = {
  // The newest rules that every seeded EVM chain and the local test chain run.
  evmVersion: 'cancun',
  // Without the metadata trailer the bytecode depends on the source alone.
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
  outputSelection: { '*': { '': ['ast'], '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode'] } },
}

const GROUPS = [
  { folder: '.', settings: { ...COMMON, optimizer: { enabled: true, runs: 200 } }, withRuntime: false },
  // Sweeps are called for ever and deployed once: every run counts, the size does not. foundry.toml says the same.
  {
    folder: 'sweep',
    settings: { ...COMMON, viaIR: true, optimizer: { enabled: true, runs: 1_000_000 } },
    withRuntime: true,
  },
] as const

/**
 * Compiles every source and returns the TypeScript files that export its ABI and bytecode, keyed by file name; for the
 * contracts of `sweep` the code that stands on the chain too, and where its immutable values lie in it.
 * @throws Error with the compiler's messages
 */
export function compile(edit: Edit = (text) => text): Map<string, string> {
  return new Map(GROUPS.flatMap((group) => compileGroup(group, edit)))
}

function compileGroup({ folder, settings, withRuntime }: (typeof GROUPS)[number], edit: Edit): [string, string][] {
  const files = readdirSync(join(SOURCES, folder)).filter((name) => name.endsWith('.sol'))
  const sources = Object.fromEntries(
    files.map((name) => [name, { content: edit(readFileSync(join(SOURCES, folder, name), 'utf8')) }]),
  )
  const input = JSON.stringify({ language: 'Solidity', sources, settings })
  const output = JSON.parse(compiler.compile(input)) as CompilerOutput
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
  const names = variableNames(Object.values(output.sources ?? {}).map(({ ast }) => ast))
  const path = folder === '.' ? '..' : `../${folder}`
  return Object.entries(output.contracts ?? {}).map(([source, contracts]) => {
    const values = Object.entries(contracts)
      .filter(([, { evm }]) => evm.bytecode.object !== '')
      .map(([name, compiled]) => print(name, compiled, withRuntime ? names : null))
    return [
      source.replace(/\.sol$/, '.ts'),
      `// Compiled from ${path}/${source} by scripts/compile.ts\n\n${values.join('\n')}`,
    ]
  })
}

/** State variables by the number that the compiler gives them. */
function variableNames(nodes: readonly AstNode[]): Map<string, string> {
  const inside = nodes.flatMap(({ nodes: children = [] }) => [...variableNames(children)])
  const here = nodes
    .filter(({ nodeType }) => nodeType === 'VariableDeclaration')
    .map(({ id, name = '' }) => [`${id}`, name] as const)
  return new Map([...inside, ...here])
}

function print(name: string, { abi, evm }: Compiled, variables: Map<string, string> | null): string {
  const constant = name.charAt(0).toLowerCase() + name.slice(1)
  const runtime = variables ? printRuntime(evm.deployedBytecode, variables) : ''
  return `export const ${constant} = {\n  abi: ${JSON.stringify(abi)},\n  bytecode: '0x${evm.bytecode.object}',\n${runtime}} as const\n`
}

function printRuntime(
  { object, immutableReferences }: Compiled['evm']['deployedBytecode'],
  variables: Map<string, string>,
) {
  const places = Object.entries(immutableReferences).map(([id, ranges]) => [
    variables.get(id),
    ranges.map(({ start }) => start),
  ])
  return `  runtime: '0x${object}',\n  /** Where each immutable value lies, a word long. */\n  immutables: ${JSON.stringify(Object.fromEntries(places))},\n`
}

if (import.meta.main) {
  mkdirSync(GENERATED, { recursive: true })
  for (const [name, text] of compile()) writeFileSync(join(GENERATED, name), text)
}
