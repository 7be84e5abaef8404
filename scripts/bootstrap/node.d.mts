/** The Node that Kassa runs on. @throws Error when there is none new enough. */
export function findNode(root: string): string
