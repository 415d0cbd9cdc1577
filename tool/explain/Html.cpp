// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One page without scripts that loads nothing; its policy forbids it to.

#include "explain/Explain.h"
#include "explain/Reports.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <set>

using namespace mpishm;

static constexpr llvm::StringLiteral Head = R"html(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>mpishm-rewrite</title>
<style>
:root {
  color-scheme: light dark;
  --text: #1c2024; --faint: #5d6670; --page: #fff; --box: #f5f6f8; --line: #d5d9de;
  --good: #1a7f37; --watched: #8a5a00; --bad: #b3261e; --link: #0b57d0; --added: #dafbe1; --gone: #ffe3e0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e3e6ea; --faint: #9aa4af; --page: #14171a; --box: #1d2125; --line: #363c43;
    --good: #4cc26b; --watched: #e0b050; --bad: #ff8a80; --link: #8ab4f8; --added: #12381f; --gone: #4a1d1b;
  }
}
body { margin: 2rem auto; max-width: 90rem; padding: 0 1rem; color: var(--text); background: var(--page);
  font: 1rem/1.5 system-ui, sans-serif; }
h1, h2, h3 { line-height: 1.2; }
h3, code, pre, .place { font-family: ui-monospace, monospace; font-size: .875rem; }
h3 { font-size: 1rem; }
a { color: var(--link); }
table { border-collapse: collapse; }
th, td { border-bottom: 1px solid var(--line); padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top; }
th { color: var(--faint); font-weight: normal; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
pre { background: var(--box); border: 1px solid var(--line); border-radius: .3rem; margin: 0; overflow-x: auto;
  padding: .5rem; }
.file { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1.5rem; }
.file > div { overflow-x: auto; }
@media (max-width: 60rem) { .file { grid-template-columns: minmax(0, 1fr); } }
.rewritten, .already-rewritten { color: var(--good); }
.guarded { color: var(--watched); }
.left-alone, .error { color: var(--bad); }
ins, del { text-decoration: none; }
ins { background: var(--added); }
del { background: var(--gone); }
.faint { color: var(--faint); }
meter { width: 8rem; }
.finding { margin: 1rem 0; }
.finding:target, tr:target { outline: 2px solid var(--link); }
</style>
</head>
<body>
)html";

namespace {

class HtmlWriter {
public:
  HtmlWriter(const ReportData &D, llvm::raw_ostream &O) : Data(D), Out(O) {}
  void write();

private:
  void writeSummary();
  void writeOthers(llvm::StringRef What, const SiteTotals &Of);
  void writeReasons(llvm::StringRef What, SiteKind Kind, const SiteTotals &Sum);
  void writeBuffers();
  void writeRun(const RunData &Run);
  void writeRunCall(const RunCall &C, double Longest);
  void writeSiteRun(const RunData &Run, unsigned Index);
  void writeWays(const RunTallies &Tallies, llvm::StringRef Verb);
  void writeFile(const ReportedFile &F);
  void writeSite(unsigned Index);
  void writeDiff(llvm::StringRef Diff);
  void writeFinding(unsigned Index);
  void writeSites(llvm::StringRef What, llvm::ArrayRef<unsigned> Sites);
  void writeQuote(const ReportedPlace &P);
  void writePages();
  void text(llvm::StringRef Raw) { llvm::printHTMLEscaped(llvm::json::fixUTF8(Raw), Out); }
  void place(const ReportedPlace &P);

  const ReportData &Data;
  llvm::raw_ostream &Out;
};

} // namespace

void HtmlWriter::place(const ReportedPlace &P) {
  Out << "<span class=\"place\">";
  text(llvm::formatv("{0}:{1}:{2}", P.Name, P.Line, P.Column).str());
  Out << "</span>";
}

void HtmlWriter::writeSummary() {
  const Totals &Sum = Data.Sum;
  std::set<unsigned> All, Rewritten, Guarded;
  for (const ReportedSite &S : Data.Sites) {
    if (S.Kind != SiteKind::Message)
      continue;
    All.insert(S.Class);
    if (S.What != Outcome::LeftAlone)
      Rewritten.insert(S.Class);
    if (S.Guarded)
      Guarded.insert(S.Class);
  }
  Out << "<h1>mpishm-rewrite</h1>\n<p><strong>"
      << llvm::formatv("{0} of {1} sites rewritten in {2} file{3}", Sum.Rewritten, Sum.Sites, Sum.Files,
                       Sum.Files == 1 ? "" : "s")
      << "</strong>";
  if (Sum.Already)
    Out << ", " << Sum.Already << " had been before";
  Out << llvm::formatv("; {0} left alone. {1} of {2} message classes rewritten.", Sum.Left, Rewritten.size(),
                       All.size());
  if (!Guarded.empty())
    Out << llvm::formatv(" <span class=\"guarded\">Not proved but guarded at run time: {0} of these sites, of {1} "
                         "class{2}.</span>",
                         Sum.Guarded + Sum.AlreadyGuarded, Guarded.size(), Guarded.size() == 1 ? "" : "es");
  writeOthers("collectives", Sum.Collectives);
  writeOthers("one-sided calls", Sum.OneSided);
  Out << "</p>\n<p class=\"faint\">A site is one call in the source; a message class is all sites that may match one "
         "another, rewritten together or not at all. Written in ";
  text(Data.Folder);
  Out << " by version " << Data.Version << ".</p>\n";
}

/// A line on sites that are no messages.
void HtmlWriter::writeOthers(llvm::StringRef What, const SiteTotals &Of) {
  if (!Of.Sites)
    return;
  Out << llvm::formatv("<br>{0} of {1} {2} rewritten", Of.Rewritten, Of.Sites, What);
  if (Of.Already)
    Out << ", " << Of.Already << " had been before";
  Out << "; " << Of.Left << " left alone.";
  if (unsigned Guards = Of.Guarded + Of.AlreadyGuarded)
    Out << " <span class=\"guarded\">Not proved but guarded at run time: " << Guards << " of these.</span>";
}

void HtmlWriter::writeReasons(llvm::StringRef What, SiteKind Kind, const SiteTotals &Sum) {
  if (Sum.Reasons.empty())
    return;
  auto Counts = [&](const ReportedFinding &F) {
    return llvm::any_of(F.Left, [&](unsigned Site) { return Data.Sites[Site].Kind == Kind; });
  };
  Out << "<h2>Why " << What << " were left alone</h2>\n<table>\n<tr><th>" << What << "<th>reason<th>where\n";
  for (const auto &[Id, Count] : Sum.Reasons) {
    Out << "<tr><td class=\"number\">" << Count << "<td><a href=\"#" << Id << "\">" << Id << "</a><td>";
    unsigned Shown = 0;
    for (auto [Index, F] : llvm::enumerate(Data.Findings)) {
      if (F.Id != Id || !Counts(F))
        continue;
      Out << (Shown++ ? ", " : "") << "<a href=\"#f" << Index << "\">";
      if (F.Where)
        place(*F.Where);
      else
        Out << "the whole program";
      Out << "</a>";
    }
    Out << '\n';
  }
  Out << "</table>\n";
}

void HtmlWriter::writeBuffers() {
  if (Data.Buffers.empty())
    return;
  Out << "<h2>Message buffers</h2>\n<table>\n<tr><th>where<th>buffer<th>in<th>sites<th>decision<th>why\n";
  for (const ReportedBuffer &B : Data.Buffers) {
    Out << "<tr><td>";
    place(B.Where);
    Out << "<td><code>";
    text(B.What);
    Out << "</code><td><code>";
    text(B.Enclosing);
    Out << "</code><td class=\"number\">" << B.Calls.size() << "<td>" << nameOf(B.Decided) << "<td>";
    text(B.Reason);
    Out << '\n';
  }
  Out << "</table>\n";
}

/// As MPISHM_STATS=1 prints bytes: in powers of 1000.
static std::string bytesText(uint64_t Bytes) {
  static constexpr llvm::StringLiteral Units = "kMGTPE";
  if (Bytes < 1000)
    return llvm::formatv("{0} B", Bytes);
  double Value = static_cast<double>(Bytes) / 1000;
  size_t Unit = 0;
  for (; Value >= 999.95 && Unit + 1 < Units.size(); ++Unit)
    Value /= 1000;
  return llvm::formatv("{0:F1} {1}B", Value, Units[Unit]);
}

/// "64 sent, eager (12.3 kB)" for each way.
void HtmlWriter::writeWays(const RunTallies &Tallies, llvm::StringRef Verb) {
  for (const auto &[Path, Tally] : Tallies) {
    Out << "<div>";
    text(llvm::formatv("{0} {1}, {2} ({3})", Tally.Messages, Verb, describePath(Path), bytesText(Tally.Bytes)).str());
    Out << "</div>";
  }
}

void HtmlWriter::writeRunCall(const RunCall &C, double Longest) {
  Out << llvm::formatv("<tr><td class=\"number\">{0:F6}<td><meter max=\"{1:F9}\" value=\"{2:F9}\"></meter>", C.Seconds,
                       std::max(Longest, 1e-9), C.Seconds)
      << llvm::formatv("<td class=\"number\">{0:F6} <span class=\"faint\">{1}</span><td class=\"number\">{2}<td><code>",
                       C.MostSeconds, C.MostRank, C.Calls);
  text(C.Function);
  Out << "</code><td>";
  if (C.Site)
    Out << "<a href=\"#s" << *C.Site << "\">";
  Out << "<span class=\"place\">";
  text(C.Place);
  Out << "</span>" << (C.Site ? "</a>" : "") << "<td>";
  writeWays(C.Sent, "sent");
  writeWays(C.Received, "received");
  Out << '\n';
}

void HtmlWriter::writeRun(const RunData &Run) {
  Out << llvm::formatv(
      "<h2 id=\"run\">The run</h2>\n<p>{0} rank{1} on {2} node{3}; {4:F6} s in the calls below, {5:F6} s "
      "per rank, of a run of {6:F6} s. <span class=\"faint\">",
      Run.Ranks, Run.Ranks == 1 ? "" : "s", Run.Nodes, Run.Nodes == 1 ? "" : "s", Run.Total.Seconds,
      Run.Total.Seconds / std::max(Run.Ranks, 1u), Run.LongestSeconds);
  text(Run.Library);
  Out << "</span></p>\n";
  if (Run.Reported < Run.Ranks)
    Out << llvm::formatv("<p class=\"left-alone\">Only {0} of {1} ranks have reported.</p>\n", Run.Reported, Run.Ranks);
  Out << "<table>\n<tr><th>way<th>sent<th>bytes<th>received<th>bytes\n";
  std::set<std::string> Paths;
  for (const RunTallies *Tallies : {&Run.Total.Sent, &Run.Total.Received})
    for (const auto &[Path, Tally] : *Tallies)
      Paths.insert(Path);
  for (const std::string &Path : Paths) {
    Out << "<tr><td>";
    text(describePath(Path));
    for (const RunTallies *Tallies : {&Run.Total.Sent, &Run.Total.Received}) {
      auto It = Tallies->find(Path);
      RunTally Tally = It == Tallies->end() ? RunTally() : It->second;
      Out << "<td class=\"number\">" << Tally.Messages << "<td class=\"number\">" << bytesText(Tally.Bytes);
    }
    Out << '\n';
  }
  Out << "</table>\n<h3>Calls, by the time spent in them</h3>\n<table>\n"
         "<tr><th>seconds<th><th>most, and in which rank<th>calls<th>call<th>place<th>messages started there\n";
  for (const RunCall &C : Run.Calls)
    writeRunCall(C, Run.Calls.front().Seconds);
  Out << "</table>\n";
}

/// What the run did at a site, on all ranks: in the last two columns of its row.
void HtmlWriter::writeSiteRun(const RunData &Run, unsigned Index) {
  double Seconds = 0;
  bool Came = false;
  Out << "<td>";
  for (const RunCall &C : Run.Calls)
    if (C.Site == Index) {
      writeWays(C.Sent, "sent");
      writeWays(C.Received, "received");
      Seconds += C.Seconds;
      Came = true;
    }
  Out << "<td class=\"number\">";
  if (Came)
    Out << llvm::formatv("{0:F6}", Seconds);
}

void HtmlWriter::writeSite(unsigned Index) {
  const ReportedSite &S = Data.Sites[Index];
  Out << "<tr id=\"s" << Index << "\"><td class=\"number\">" << S.Where.Line << "<td><code>" << S.Function
      << "</code><td><code>";
  text(S.Enclosing);
  Out << "</code><td class=\"number\">" << S.Class << "<td class=\"" << (S.Guarded ? "guarded" : nameOf(S.What))
      << "\">";
  Out << (S.What == Outcome::Rewritten   ? "rewritten"
          : S.What == Outcome::LeftAlone ? "left alone"
                                         : "was rewritten")
      << (S.Guarded ? ", guarded" : "");
  Out << "<td>";
  llvm::interleave(
      S.Reasons, Out,
      [&](unsigned Reason) {
        Out << "<a href=\"#f" << Reason << "\">" << Data.Findings[Reason].Id.drop_front(strlen("mpishm-")) << "</a>";
      },
      "<br>");
  if (Data.Run)
    writeSiteRun(*Data.Run, Index);
  Out << '\n';
}

void HtmlWriter::writeDiff(llvm::StringRef Diff) {
  Out << "<pre>";
  while (!Diff.empty()) {
    auto [Line, Rest] = Diff.split('\n');
    const char *Tag = Line.starts_with("+") ? "ins" : Line.starts_with("-") ? "del" : "span";
    Out << '<' << Tag << '>';
    text(Line.rtrim('\r'));
    Out << "</" << Tag << ">\n";
    Diff = Rest;
  }
  Out << "</pre>";
}

void HtmlWriter::writeFile(const ReportedFile &F) {
  Out << "<section><h3>";
  text(F.Name);
  Out << "</h3>\n<div class=\"file\">\n<div>";
  if (F.Sites.empty()) {
    Out << "<p>No site; only calls that belong to those of other files.</p>";
  } else {
    Out << "<table>\n<tr><th>line<th>site<th>in<th>class<th>decision<th>reason"
        << (Data.Run ? "<th>messages<th>seconds" : "") << '\n';
    for (unsigned Index : F.Sites)
      writeSite(Index);
    Out << "</table>";
  }
  Out << "</div>\n<div>";
  if (F.Diff.empty())
    Out << "<p class=\"faint\">Nothing is changed.</p>";
  else
    writeDiff(F.Diff);
  Out << "</div>\n</div></section>\n";
}

void HtmlWriter::writeQuote(const ReportedPlace &P) {
  if (P.Source.empty())
    return;
  llvm::StringRef Source = P.Source;
  size_t Begin = std::min<size_t>(P.Column - 1, Source.size()), End = std::min<size_t>(Begin + P.Length, Source.size());
  Out << "<pre>";
  text(Source.take_front(Begin));
  Out << "<strong>";
  text(Source.slice(Begin, End));
  Out << "</strong>";
  text(Source.drop_front(End));
  Out << "</pre>\n";
}

void HtmlWriter::writeFinding(unsigned Index) {
  const ReportedFinding &F = Data.Findings[Index];
  Out << "<div class=\"finding\" id=\"f" << Index << "\">";
  if (F.Where) {
    place(*F.Where);
    Out << ": ";
  }
  Out << "<span class=\"" << nameOf(F.Level) << "\">" << nameOf(F.Level) << "</span>: ";
  text(F.Text);
  Out << " [<a href=\"#" << F.Id << "\">" << F.Id << "</a>]\n";
  if (F.Where)
    writeQuote(*F.Where);
  if (F.Cause) {
    place(*F.Cause);
    Out << ": ";
    text(F.CauseText);
    writeQuote(*F.Cause);
  }
  writeSites("Left alone because of this: ", F.Left);
  writeSites(F.Left.empty() ? "Guarded because of this: " : "<br>Guarded because of this: ", F.Guarded);
  Out << "</div>\n";
}

void HtmlWriter::writeSites(llvm::StringRef What, llvm::ArrayRef<unsigned> Sites) {
  if (Sites.empty())
    return;
  Out << What;
  llvm::interleaveComma(Sites, Out, [&](unsigned Site) {
    Out << "<a href=\"#s" << Site << "\">";
    place(Data.Sites[Site].Where);
    Out << "</a>";
  });
}

/// The pages of the diagnostics that occur, as they are.
void HtmlWriter::writePages() {
  std::set<llvm::StringRef> Ids;
  for (const ReportedFinding &F : Data.Findings)
    Ids.insert(F.Id);
  for (llvm::StringRef Id : Ids) {
    Out << "<details id=\"" << Id << "\"><summary>" << Id << "</summary>\n<pre>";
    text(pageOf(Id));
    Out << "</pre></details>\n";
  }
}

void HtmlWriter::write() {
  Out << Head;
  writeSummary();
  writeReasons("sites", SiteKind::Message, Data.Sum);
  writeReasons("collectives", SiteKind::Collective, Data.Sum.Collectives);
  writeReasons("one-sided calls", SiteKind::OneSided, Data.Sum.OneSided);
  writeBuffers();
  if (Data.Run)
    writeRun(*Data.Run);
  Out << "<h2>Files</h2>\n";
  if (Data.Files.empty())
    Out << "<p>No file has a site.</p>\n";
  for (const ReportedFile &F : Data.Files)
    writeFile(F);
  if (!Data.Findings.empty()) {
    Out << "<h2>Findings</h2>\n";
    for (unsigned Index = 0; Index < Data.Findings.size(); ++Index)
      writeFinding(Index);
    Out << "<h2>What they mean</h2>\n";
    writePages();
  }
  Out << "<h2>What is assumed</h2>\n<ul>\n";
  for (llvm::StringRef A : assumptions()) {
    Out << "<li>";
    text(A);
    Out << '\n';
  }
  Out << "</ul>\n</body>\n</html>\n";
}

void mpishm::writeHtml(const ReportData &Data, llvm::raw_ostream &Out) { HtmlWriter(Data, Out).write(); }
