import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkCommitSubjects } from './commit-subjects.ts'
import { inPlantedTree } from './planted-tree.ts'

/** Commits with these subjects, oldest first; gives their names. */
function commit(root: string, subjects: readonly string[]): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  return subjects.map((subject) => {
    const who = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', '-c', 'commit.gpgsign=false']
    git(...who, 'commit', '-q', '--no-verify', '--allow-empty', '-m', subject)
    return git('rev-parse', 'HEAD')
  })
}

describe('commit subjects', () => {
  it('names a subject of more than 72 characters, and leaves those up to the first one alone', async () => {
    const { findings, note } = await inPlantedTree({}, async (root) => {
      const [first = ''] = commit(root, ['a'.repeat(90), 'é'.repeat(72), `feat: ${'b'.repeat(67)}`])
      return checkCommitSubjects(root, first)
    })
    expect(findings.map(({ message }) => message.replace(/^\w+ /, ''))).toEqual([
      `has a subject of 73 characters, 72 are allowed: feat: ${'b'.repeat(67)}`,
    ])
    expect(note).toBe('2 commits')
  })

  it.each([
    ['no commit at all', (root: string) => checkCommitSubjects(root)],
    [
      'a shallow clone',
      async (root: string) => {
        const [first = ''] = commit(root, ['first', 'second', 'c'.repeat(80)])
        const clone = join(root, 'clone')
        execFileSync('git', ['clone', '-q', '--depth', '1', `file://${root}`, clone], { stdio: 'ignore' })
        return checkCommitSubjects(clone, first)
      },
    ],
  ])('says of %s that it was not checked', async (_, check) => {
    const outcome = await inPlantedTree({}, check)
    expect(outcome).toEqual({ findings: [], note: 'not checked: the history does not reach back' })
  })
})
