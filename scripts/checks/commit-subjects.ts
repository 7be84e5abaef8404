import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Outcome } from './outcome.ts'

const run = promisify(execFile)

/** What a list of commits shows of a subject on a screen of 80 columns beside the commit's short name. */
const LONGEST = 72

/** The last commit before subjects were checked: older ones are longer, and history is not rewritten. */
const SINCE = '1b8b18bf2b64846502f87e80a7cb4519f87edeec'

/**
 * Finds commits whose subject is longer than 72 characters. A checkout that does not hold the history (a download, a
 * shallow clone) has nothing to judge: the check then says so, and passes.
 */
export async function checkCommitSubjects(root: string, since = SINCE): Promise<Outcome> {
  const git = async (...args: string[]) => (await run('git', args, { cwd: root, maxBuffer: 64 * 1024 * 1024 })).stdout
  const reaches = await git('merge-base', '--is-ancestor', since, 'HEAD').then(
    () => true,
    () => false,
  )
  if (!reaches) return { findings: [], note: 'not checked: the history does not reach back' }
  const commits = (await git('log', '--format=%h%x00%s', `${since}..HEAD`)).split('\n').filter((line) => line !== '')
  return {
    findings: commits.flatMap((line) => {
      const [name = '', subject = ''] = line.split('\0')
      const { length } = Array.from(subject)
      if (length <= LONGEST) return []
      return [
        { file: '', message: `${name} has a subject of ${length} characters, ${LONGEST} are allowed: ${subject}` },
      ]
    }),
    note: `${commits.length} commits`,
  }
}
