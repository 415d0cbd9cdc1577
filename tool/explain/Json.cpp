// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "llvm/Support/JSON.h"
#include "explain/Reports.h"
#include "llvm/Support/Path.h"

using namespace mpishm;
using llvm::json::OStream;

llvm::StringRef mpishm::nameOf(Outcome What) {
  switch (What) {
  case Outcome::Rewritten:
    return "rewritten";
  case Outcome::AlreadyRewritten:
    return "already-rewritten";
  case Outcome::LeftAlone:
    break;
  }
  return "left-alone";
}

llvm::StringRef mpishm::nameOf(Buffer::Decision Decided) {
  switch (Decided) {
  case Buffer::Decision::Moved:
    return "moved";
  case Buffer::Decision::AlreadyMoved:
    return "already-moved";
  case Buffer::Decision::Private:
    break;
  }
  return "private";
}

ReportWriter mpishm::writerFor(llvm::StringRef FileName) {
  llvm::StringRef Suffix = llvm::sys::path::extension(FileName);
  if (Suffix == ".json")
    return writeJson;
  if (Suffix == ".sarif")
    return writeSarif;
  if (Suffix == ".html" || Suffix == ".htm")
    return writeHtml;
  return nullptr;
}

/// Paths and source text may be in any encoding; JSON is UTF-8.
static std::string utf8(llvm::StringRef Text) { return llvm::json::fixUTF8(Text); }

static void writePlace(OStream &J, const ReportedPlace &P) {
  J.attribute("file", utf8(P.Path));
  J.attribute("line", P.Line);
  J.attribute("column", P.Column);
}

static void writeReasons(OStream &J, const SiteTotals &Sum) {
  J.attributeArray("reasons", [&] {
    for (const auto &[Id, Count] : Sum.Reasons)
      J.object([&, &Id = Id, &Count = Count] {
        J.attribute("id", Id);
        J.attribute("sites", Count);
      });
  });
}

static void writeCounts(OStream &J, const SiteTotals &Of) {
  J.attribute("sites", Of.Sites);
  J.attribute("rewritten", Of.Rewritten);
  J.attribute("already_rewritten", Of.Already);
  if (Of.Guarded + Of.AlreadyGuarded)
    J.attribute("guarded", Of.Guarded + Of.AlreadyGuarded);
  J.attribute("left_alone", Of.Left);
}

static void writeTotals(OStream &J, llvm::StringRef What, const SiteTotals &Of) {
  J.attributeObject(What, [&] {
    writeCounts(J, Of);
    writeReasons(J, Of);
  });
}

static void writeSummary(OStream &J, const Totals &Sum) {
  J.attributeObject("summary", [&] {
    writeCounts(J, Sum);
    J.attribute("changed_files", Sum.Files);
    J.attribute("buffers_moved", Sum.Moved);
    writeReasons(J, Sum);
    writeTotals(J, "collectives", Sum.Collectives);
    writeTotals(J, "onesided", Sum.OneSided);
  });
}

static void writeSite(OStream &J, const ReportedSite &S) {
  J.object([&] {
    J.attribute("line", S.Where.Line);
    J.attribute("column", S.Where.Column);
    J.attribute("function", S.Function);
    J.attribute("in", utf8(S.Enclosing));
    J.attribute("class", S.Class);
    J.attribute("decision", nameOf(S.What));
    if (S.Guarded)
      J.attribute("guarded", true);
    if (S.Kind == SiteKind::Collective)
      J.attribute("collective", true);
    if (S.Kind == SiteKind::OneSided)
      J.attribute("onesided", true);
    J.attributeArray("reasons", [&] {
      for (unsigned Reason : S.Reasons)
        J.value(Reason);
    });
  });
}

static void writeHelping(OStream &J, const ReportedHelpingCall &H) {
  J.object([&] {
    writePlace(J, H.Where);
    J.attribute("function", H.Function);
    J.attribute("in", utf8(H.Enclosing));
    if (H.Class)
      J.attribute("class", *H.Class);
    J.attribute("decision", nameOf(H.What));
  });
}

static void writeFinding(OStream &J, const ReportedFinding &F) {
  J.object([&] {
    J.attribute("id", F.Id);
    J.attribute("severity", nameOf(F.Level));
    J.attribute("text", utf8(F.Text));
    J.attribute("sites", F.Left.size());
    if (!F.Guarded.empty())
      J.attribute("guarded_sites", F.Guarded.size());
    if (F.Where)
      writePlace(J, *F.Where);
    if (F.Cause)
      J.attributeObject("cause", [&] {
        writePlace(J, *F.Cause);
        J.attribute("text", utf8(F.CauseText));
      });
  });
}

static void writeBuffer(OStream &J, const ReportedBuffer &B) {
  J.object([&] {
    writePlace(J, B.Where);
    J.attribute("what", utf8(B.What));
    J.attribute("in", utf8(B.Enclosing));
    J.attribute("decision", nameOf(B.Decided));
    J.attribute("reason", utf8(B.Reason));
    J.attributeArray("calls", [&] {
      for (const ReportedPlace &P : B.Calls)
        J.object([&] { writePlace(J, P); });
    });
  });
}

void mpishm::writeJson(const ReportData &Data, llvm::raw_ostream &Out) {
  OStream J(Out, 1);
  J.object([&] {
    J.attribute("format", 1);
    J.attributeObject("tool", [&] {
      J.attribute("name", "mpishm-rewrite");
      J.attribute("version", Data.Version);
    });
    writeSummary(J, Data.Sum);
    J.attributeArray("files", [&] {
      for (const ReportedFile &F : Data.Files)
        J.object([&] {
          J.attribute("file", utf8(F.Path));
          J.attribute("changed", !F.Diff.empty());
          J.attributeArray("sites", [&] {
            for (unsigned Index : F.Sites)
              writeSite(J, Data.Sites[Index]);
          });
          J.attribute("diff", utf8(F.Diff));
        });
    });
    J.attributeArray("helping", [&] {
      for (const ReportedHelpingCall &H : Data.Helping)
        writeHelping(J, H);
    });
    J.attributeArray("findings", [&] {
      for (const ReportedFinding &F : Data.Findings)
        writeFinding(J, F);
    });
    J.attributeArray("buffers", [&] {
      for (const ReportedBuffer &B : Data.Buffers)
        writeBuffer(J, B);
    });
    J.attributeArray("assumptions", [&] {
      for (llvm::StringRef A : assumptions())
        J.value(A);
    });
  });
  Out << '\n';
}
