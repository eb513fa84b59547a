import { keepEarlyKeys } from './early-keys.ts'
import { takeMarked } from './marked-choice.ts'
import { returnFocus } from './return-focus.ts'

returnFocus()
keepEarlyKeys()
takeMarked()
