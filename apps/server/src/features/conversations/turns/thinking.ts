/** The longest an owner that calls somebody else may take, in seconds; the lease of its turn is longer. */
export const thinkingS = 120
