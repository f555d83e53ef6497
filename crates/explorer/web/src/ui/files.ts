// Files by name, and as downloads.

export function saveText(name: string, text: string, type: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function shortName(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1);
}
