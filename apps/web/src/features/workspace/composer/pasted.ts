type Clipboard = Pick<DataTransfer, 'getData' | 'files'>

/**
 * The files that were copied. Cells and formatted text come with a picture of themselves: who copied those means the
 * words. A file copied from a folder has its name as plain text beside it, and no formatted one.
 */
export const pastedFiles = (clipboard: Clipboard): File[] => {
  const isFormattedText = clipboard.getData('text/plain').trim() !== '' && clipboard.getData('text/html') !== ''
  return isFormattedText ? [] : [...clipboard.files]
}
