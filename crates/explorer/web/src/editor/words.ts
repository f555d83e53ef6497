// A highlighter from lists of words: the languages differ in little else.
import { StreamLanguage, type StreamParser, type StringStream } from "@codemirror/language";

export interface Words {
  name: string;
  lineComment: string;
  blockComment?: [string, string];
  keywords: string;
  types?: string;
  constants?: string;
  /** Words of the logics, which stand out from those of the model. */
  modal?: string;
  /** How a name goes on after its first character. */
  rest?: RegExp;
  operators: RegExp;
  /** What begins a line of a preprocessor. */
  preprocessor?: RegExp;
  /** A name before a colon at the start of a line. */
  labels?: boolean;
}

interface Place {
  inComment: boolean;
}

type Table = Map<string, string>;

function tableOf(words: Words): Table {
  const table: Table = new Map();
  const put = (list: string | undefined, tag: string) => list?.split(" ").forEach((word) => table.set(word, tag));
  put(words.keywords, "keyword");
  put(words.types, "typeName");
  put(words.constants, "atom");
  put(words.modal, "modifier");
  return table;
}

function skipComment(stream: StringStream, place: Place, end: string): string {
  while (!stream.eol()) {
    if (stream.match(end)) {
      place.inComment = false;
      break;
    }
    stream.next();
  }
  return "comment";
}

function token(words: Words, table: Table, stream: StringStream, place: Place): string | null {
  const [open, close] = words.blockComment ?? ["", ""];
  if (place.inComment) return skipComment(stream, place, close);
  if (stream.eatSpace()) return null;
  if (words.preprocessor && stream.sol() && stream.match(words.preprocessor)) {
    stream.skipToEnd();
    return "meta";
  }
  if (stream.match(words.lineComment)) {
    stream.skipToEnd();
    return "comment";
  }
  if (open && stream.match(open)) {
    place.inComment = true;
    return skipComment(stream, place, close);
  }
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
  if (stream.match(/^\d+/)) return "number";
  return word(words, table, stream);
}

function word(words: Words, table: Table, stream: StringStream): string | null {
  const first = /^\s*$/.test(stream.string.slice(0, stream.start));
  if (stream.match(/^[\p{L}_]/u)) {
    stream.eatWhile(words.rest ?? /[\p{L}\p{N}_.]/u);
    const known = table.get(stream.current());
    if (known !== undefined) return known;
    return words.labels && first && stream.match(/^\s*:(?![:=])/, false) ? "labelName" : "variableName";
  }
  if (stream.match(words.operators)) return "operator";
  stream.next();
  return null;
}

export function highlighter(words: Words) {
  const table = tableOf(words);
  const parser: StreamParser<Place> = {
    name: words.name,
    startState: () => ({ inComment: false }),
    token: (stream, place) => token(words, table, stream, place),
    languageData: {
      commentTokens: words.blockComment
        ? { line: words.lineComment, block: { open: words.blockComment[0], close: words.blockComment[1] } }
        : { line: words.lineComment },
      closeBrackets: { brackets: ["(", "[", "{", '"'] },
    },
  };
  return StreamLanguage.define(parser);
}
