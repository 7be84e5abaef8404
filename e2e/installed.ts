/** A data folder as a first start leaves it, copied for each test that is not about that start: it takes a third of the time. */
import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'

import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'

import { clearLayout, type Layout, newLayout, startInstance } from './instance.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The data folder that `installedLayout` copies. */
    readonly installed: string
  }
}

/**
 * Runs before the end-to-end tests: starts Kassa for the first time, and stops it.
 * @public vitest calls it by its name.
 */
export async function setup(project: TestProject): Promise<() => void> {
  const layout = await newLayout()
  const instance = await startInstance(layout)
  const code = await instance.stop()
  if (code !== 0) throw new Error(`The first start ended with ${code}.`)
  project.provide('installed', layout.home)
  return () => clearLayout(layout)
}

/** A data folder that Kassa was started in before, and a free port. Its keys are those of every other such folder. */
export async function installedLayout(): Promise<Layout> {
  const layout = await newLayout()
  // The owner of a file stays: the database has a user of its own.
  execFileSync('cp', ['-a', inject('installed'), dirname(layout.home)])
  return layout
}
