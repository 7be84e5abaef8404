import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import solc from 'solc'

type CompilerOutput = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: Record<string, Record<string, { abi: unknown; evm: { bytecode: { object: string } } }>>
}

/** The part of the compiler's JavaScript interface that is used here; it comes without types. */
const compiler = solc as { compile(standardJson: string): string }

const SOURCES = join(import.meta.dirname, '../src')
const GENERATED = join(SOURCES, 'generated')

const SETTINGS = {
  optimizer: { enabled: true, runs: 200 },
  // The newest rules that every seeded EVM chain and the local test chain run.
  evmVersion: 'cancun',
  // Without the metadata trailer the bytecode depends on the source alone.
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
}

/**
 * Compiles every source and returns the TypeScript files that export its ABI and bytecode, keyed by file name.
 * @throws Error with the compiler's messages
 */
export function compile(): Map<string, string> {
  const names = readdirSync(SOURCES).filter((name) => name.endsWith('.sol'))
  const sources = Object.fromEntries(
    names.map((name) => [name, { content: readFileSync(join(SOURCES, name), 'utf8') }]),
  )
  const input = JSON.stringify({ language: 'Solidity', sources, settings: SETTINGS })
  const output = JSON.parse(compiler.compile(input)) as CompilerOutput
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
  return new Map(
    Object.entries(output.contracts ?? {}).map(([source, contracts]) => {
      const values = Object.entries(contracts).map(([name, { abi, evm }]) => print(name, abi, evm.bytecode.object))
      return [
        source.replace(/\.sol$/, '.ts'),
        `// Compiled from ../${source} by scripts/compile.ts\n\n${values.join('\n')}`,
      ]
    }),
  )
}

function print(name: string, abi: unknown, bytecode: string): string {
  const constant = name.charAt(0).toLowerCase() + name.slice(1)
  return `export const ${constant} = {\n  abi: ${JSON.stringify(abi)},\n  bytecode: '0x${bytecode}',\n} as const\n`
}

if (import.meta.main) {
  mkdirSync(GENERATED, { recursive: true })
  for (const [name, text] of compile()) writeFileSync(join(GENERATED, name), text)
}
