/** Puts one row in another's place wherever it is used, or takes it away from there, and then deletes it. */
export const replaceKinds = ['replaceTag', 'replaceQueue', 'replaceReason', 'replaceLane'] as const
