import { execFileSync } from 'node:child_process'
import { realpathSync } from 'node:fs'

const LENGTH = 12

/**
 * Returns the commit of the sources in a folder, with a plus where files differ from it; null where they came without a repository of
 * their own, or git is not installed.
 */
export function commitOf(root) {
  const git = (...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    // The folder may lie in a repository of something else.
    if (realpathSync(git('rev-parse', '--show-toplevel')) !== realpathSync(root)) return null
    const isChanged = git('status', '--porcelain', '--untracked-files=no') !== ''
    return git('rev-parse', `--short=${LENGTH}`, 'HEAD') + (isChanged ? '+' : '')
  } catch {
    return null
  }
}
