import { describe, expect, it } from 'vitest'
import { inPlantedTree } from './planted-tree.ts'
import { checkWrittenPaths } from './written-paths.ts'

const table = "export const paths = { signIn: path('/login'), settings: path('/settings') }\n"

async function ask(text: string, file = 'apps/dashboard/src/app/Menu.tsx') {
  const files = { 'apps/dashboard/src/lib/paths.ts': table, [file]: text }
  const { findings } = await inPlantedTree(files, (root) => checkWrittenPaths(root))
  return findings.map((finding) => `${finding.file}:${'line' in finding ? finding.line : ''}`)
}

describe('written paths', () => {
  it.each(["go('/login')", 'go(`/settings/${id}`)', '<a href="/settings?tab=a" />'])('names %s', async (text) => {
    expect(await ask(`const a = 1\n${text}\n`)).toEqual(['apps/dashboard/src/app/Menu.tsx:2'])
  })

  it.each(['go(paths.signIn())', "fetch('/settingsOf')", "// goes to '/login'", "const entry = { id: '/settings/' }"])(
    'leaves %s',
    async (text) => {
      expect(await ask(`${text}\n`)).toEqual([])
    },
  )

  it('leaves what tests expect', async () => {
    expect(await ask("expect(href).toBe('/login')\n", 'apps/dashboard/src/app/Menu.test.tsx')).toEqual([])
  })
})
